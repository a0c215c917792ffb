/*
 * Loads Kelso as CheckerBoard does, and plays a game of the engine against itself.
 *
 *     cc examples/checkerboard.c -o checkerboard -ldl
 *     ./checkerboard target/release/libkelso_checkerboard.so [PLIES [SECONDS]]
 *
 * On Windows: gcc examples/checkerboard.c -o checkerboard.exe, and kelso_checkerboard.dll for the library.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#define WINAPI
#endif

struct coor {
    int x, y;
};

struct CBmove {
    int jumps, newpiece, oldpiece;
    struct coor from, to, path[12], del[12];
    int delpiece[12];
};

typedef int(WINAPI *getmove_t)(int board[8][8], int color, double maxtime, char str[1024], int *playnow, int info,
                               int moreinfo, struct CBmove *move);
typedef int(WINAPI *enginecommand_t)(const char *command, char reply[1024]);

enum { DRAW, WIN, LOSS, UNKNOWN };
enum { WHITE = 1, BLACK = 2, MAN = 4, KING = 8 };

static void *load(const char *path, const char *name)
{
#ifdef _WIN32
    HMODULE library = LoadLibraryA(path);
    void *function = NULL;
    if (library) {
        FARPROC found = GetProcAddress(library, name);
        memcpy(&function, &found, sizeof function);
    }
#else
    void *library = dlopen(path, RTLD_NOW);
    void *function = library ? dlsym(library, name) : NULL;
#endif
    if (!library) {
        fprintf(stderr, "cannot load \"%s\"\n", path);
        exit(2);
    }
    if (!function) {
        fprintf(stderr, "\"%s\" has no function %s\n", path, name);
        exit(2);
    }
    return function;
}

/* Parses a number, or exits with an error. */
static double number(const char *text)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value >= 0 && value <= 1e6)) {
        fprintf(stderr, "expected a number from 0 to 1000000, got \"%s\"\n", text);
        exit(2);
    }
    return value;
}

/* Returns the number, from 1 to 32, of a square on the board. */
static int square(struct coor at)
{
    return at.y * 4 + 3 - at.x / 2 + 1;
}

int main(int count, char **arguments)
{
    if (count < 2) {
        fprintf(stderr, "usage: %s LIBRARY [PLIES [SECONDS]]\n", arguments[0]);
        return 2;
    }
    int plies = count > 2 ? (int)number(arguments[2]) : 20;
    double seconds = count > 3 ? number(arguments[3]) : 0.1;
    getmove_t getmove;
    enginecommand_t enginecommand;
    void *function = load(arguments[1], "getmove");
    memcpy(&getmove, &function, sizeof getmove);
    function = load(arguments[1], "enginecommand");
    memcpy(&enginecommand, &function, sizeof enginecommand);

    char text[1024] = "";
    enginecommand("name", text);
    printf("engine %s\n", text);
    enginecommand("set hashsize 16", text);

    int board[8][8] = {{0}};
    for (int at = 0; at < 32; at++) {
        int y = at / 4, x = 2 * (3 - at % 4) + y % 2;
        board[x][y] = at < 12 ? BLACK | MAN : at >= 20 ? WHITE | MAN : 0;
    }
    int color = BLACK;
    for (int ply = 0; ply < plies; ply++) {
        struct CBmove move;
        int playnow = 0;
        memset(&move, 0, sizeof move);
        int claim = getmove(board, color, seconds, text, &playnow, ply == 0 ? 1 : 0, 0, &move);
        if (move.oldpiece == 0) {
            printf("%s\n", text);
            return 0;
        }
        printf("%d%c%d%s\n", square(move.from), move.jumps ? 'x' : '-', square(move.to),
               claim == WIN ? " and wins" : claim == LOSS ? " and loses" : claim == DRAW ? " and draws" : "");
        color = WHITE + BLACK - color;
    }
    printf("played %d plies\n", plies);
    return 0;
}
