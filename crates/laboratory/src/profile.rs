//! Profiles: the share of time that a player spends in each part of its search.
//!
//! The search records its current phase of the search, and a second thread samples it every fifth of a
//! millisecond. To measure the overhead, every game is also played without recording.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::Figures;
use super::profiler::{Phase, Profiler};
use super::series::{Series, SeriesScore};
use kelso_engine::SettingError;
use kelso_reports::statistics::{percents, real};
use kelso_runtime::stop::StopToken;

/// Minimum number of samples of the search for shares.
const MIN_SAMPLES: u64 = 100;
/// Minimum time between samples. Sampling must not be synchronised with the search.
const SAMPLING_PERIOD: Duration = Duration::from_micros(200);

/// The number of phases.
pub(crate) const PHASES: usize = Phase::Ordering as usize + 1;

type Samples = [u64; PHASES];

/// The profile of the first player of a series.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Profile {
    /// Number of samples of each [`Phase`].
    samples: Samples,
    /// Processor time with recording.
    marked: Duration,
    /// Processor time of the same games without recording.
    unmarked: Duration,
    /// Processor time of both players in all games, and elapsed time.
    used: Duration,
    elapsed: Duration,
}

impl Profile {
    /// Plays every game of a series twice, with and without recording, until stopped. Calls `on_game` after
    /// each pair.
    pub fn run(series: &Series, stop: &StopToken, on_game: &mut dyn FnMut()) -> Result<Self, SettingError> {
        let profiler = Arc::new(Profiler::default());
        let is_done = AtomicBool::new(false);
        thread::scope(|scope| {
            // Without a sampler, the shares are unknown.
            let sampler = thread::Builder::new().spawn_scoped(scope, || sample(&profiler, &is_done)).ok();
            let played = play(series, &profiler, stop, on_game);
            is_done.store(true, Ordering::Relaxed);
            let mut profile = played?;
            if let Some(sampler) = sampler {
                profile.samples = sampler.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            }
            Ok(profile)
        })
    }

    /// Returns the share of each phase in percent of the search time, unless there are too few samples.
    pub fn shares(&self) -> [Option<f64>; PHASES] {
        let shares = percents(self.samples);
        std::array::from_fn(|phase| shares.get(phase).copied().filter(|_| self.samples() >= MIN_SAMPLES))
    }

    /// Returns the overhead of recording, in percent.
    pub fn cost(&self) -> Option<f64> {
        let unmarked = self.unmarked.as_secs_f64();
        (unmarked > 0.0).then(|| 100.0 * (self.marked.as_secs_f64() / unmarked - 1.0))
    }

    /// Returns whether other programs used a lot of processor time.
    pub fn was_disturbed(&self) -> bool {
        self.elapsed > Duration::from_millis(50) && self.elapsed > self.used.mul_f64(1.25)
    }

    /// Returns the figures of a row: the shares of the phases, the number of samples, and the overhead.
    pub(crate) fn figures(&self) -> Figures {
        let samples = Some(real(self.samples()));
        Figures { shares: self.shares(), samples, cost: self.cost(), ..Figures::default() }
    }

    /// Returns the number of samples.
    pub fn samples(&self) -> u64 {
        self.samples.iter().sum()
    }
}

/// Plays each game with recording and immediately again without, so that other load affects both alike.
fn play(
    series: &Series,
    profiler: &Arc<Profiler>,
    stop: &StopToken,
    on_game: &mut dyn FnMut(),
) -> Result<Profile, SettingError> {
    let [mut marked, mut unmarked] = [series.players()?, series.players()?];
    let [player, _] = &mut marked;
    player.profiler = Some(profiler.clone());
    let [mut with, mut without] = [SeriesScore::default(); 2];
    let start_time = Instant::now();
    for number in 0..series.games {
        if !series.play(number, &mut marked, &mut with, stop)
            || !series.play(number, &mut unmarked, &mut without, stop)
        {
            break;
        }
        on_game();
    }
    Ok(Profile {
        marked: with.sides[0].time,
        unmarked: without.sides[0].time,
        used: with.sides.iter().chain(&without.sides).map(|side| side.time).sum(),
        elapsed: start_time.elapsed(),
        ..Profile::default()
    })
}

fn sample(profiler: &Profiler, done: &AtomicBool) -> Samples {
    let mut samples = Samples::default();
    while !done.load(Ordering::Relaxed) {
        let phase = profiler.phase();
        if let Some(count) = phase.and_then(|phase| samples.get_mut(phase)) {
            *count += 1;
        }
        thread::sleep(SAMPLING_PERIOD);
    }
    samples
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PlayerSpec;

    #[test]
    fn profile_shares_sum_to_the_whole_search() {
        let players = [PlayerSpec::parse("searcher=ab tt=on depth=6 eval=v3").unwrap(), PlayerSpec::random()];
        let profile = Profile::run(&Series::new(players, 80, 1), &StopToken::default(), &mut || {}).unwrap();
        let shares = profile.shares();
        assert!((shares.iter().flatten().sum::<f64>() - 100.0).abs() < 1e-6, "{shares:?}");
        // An evaluation with many terms takes much of the time.
        assert!(shares[Phase::Evaluation as usize].unwrap() > 20.0, "{profile:?}");
        assert!(profile.cost().is_some());
    }

    #[test]
    fn few_samples_give_no_shares() {
        let shares = [99, 100].map(|count| {
            let mut profile = Profile::default();
            profile.samples[Phase::Moves as usize] = count;
            profile.shares()[Phase::Moves as usize]
        });
        assert_eq!(shares, [None, Some(100.0)]);
    }

    #[test]
    fn delayed_sampling_is_detected() {
        let profile = |used, elapsed| {
            let [used, elapsed] = [used, elapsed].map(Duration::from_millis);
            Profile { used, elapsed, ..Profile::default() }
        };
        assert!(profile(1000, 1300).was_disturbed() && !profile(1000, 1200).was_disturbed());
        assert!(!profile(1, 40).was_disturbed(), "too short to tell");
    }

    #[test]
    fn random_players_have_no_profile() {
        let series = Series::new([PlayerSpec::random(), PlayerSpec::random()], 2, 1);
        let profile = Profile::run(&series, &StopToken::default(), &mut || {}).unwrap();
        assert_eq!((profile.samples(), profile.shares()), (0, [None; PHASES]));
    }
}
