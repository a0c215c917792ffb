use super::*;

#[test]
fn a_game_has_its_moves() {
    let start = Position::start();
    let first = start.moves()[0];
    let second = start.after(first).moves()[1];
    let game = GameRecord::of(start, [first, second]);
    assert_eq!(game.moves().collect::<Vec<_>>(), [first, second]);
    assert_eq!(game.last_position(), start.after(first).after(second));
    let before: Vec<_> = game.positions().map(|(position, ply)| (position, ply.mv)).collect();
    assert_eq!(before, [(start, first), (start.after(first), second)]);
    assert_eq!((game.start, game.result), (start, None));
}

#[test]
fn tags_are_set_in_order_and_cleaned() {
    let mut game = GameRecord::new(Position::start());
    assert_eq!(game.player(Color::Black), None);
    for (name, value) in
        [("Event", "Glasgow"), ("Black", " A. Anderson "), ("White", "?"), ("Event", "a\nb"), (" \"]", "x")]
    {
        game.tags.set(name, value);
    }
    assert_eq!(
        game.tags.iter().collect::<Vec<_>>(),
        [("Event", "a b"), ("Black", " A. Anderson "), ("White", "?")]
    );
    assert_eq!((game.tags.get("Event"), game.tags.get("event")), (Some("a b"), None));
    assert_eq!((game.player(Color::Black), game.player(Color::White)), (Some("A. Anderson"), None));
}
