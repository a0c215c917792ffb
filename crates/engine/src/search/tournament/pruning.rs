//! Pruning of nodes whose evaluation is far outside the window: near the leaves at once (reverse futility), further up
//! if a shallower search agrees (ProbCut, here from above and from below).
//!
//! Once the shallower search was four plies less, of margins of 34 and 46, and pruned in the same way in turn: a node
//! a man up lost eight plies or twelve, and so did each node of the line below it, so that combinations stayed unseen
//! at any depth. Matches against oneself hardly show it, since both sides are blind; positions do
//! (`tests/tactics/shots.rs`). Against that search, from eleven-man ballots: 537 games at 20,000 nodes a move, 6 ± 13
//! Elo; 200 at 50 ms, 10 ± 20. Margins of 120 both ways instead of 80 and 60 see still more and cost nothing that
//! matches could show. For reverse futility, 40 was too careful: 20 sees all shots within a million nodes, as 40 did,
//! and 12 and 5 miss one or two of those with odd numbers. To depth 20 it takes a fifth fewer nodes, and it won, 600
//! games at 20,000 nodes, by 17 ± 12 Elo, and 500 at 60,000 by 12 ± 11.

use super::ThreadSearch;
use super::margins::{PROBCUT_DEPTH, PROBCUT_LEAST, RFP_DEPTH};
use crate::search::control::{Searched, Stopped};
use crate::search::line::Line;
use crate::search::score::Score;
use crate::search::window::Window;
use draughts::board::Position;

impl ThreadSearch<'_> {
    /// Returns a score for a node that is not worth its moves: by reverse futility near the leaves, by ProbCut further
    /// up.
    ///
    /// With a known result for a bound, margins mean nothing: there the shallower search alone decides, or to make sure
    /// that every move loses would take a search without any pruning.
    ///
    /// Sound here because a quiet side can nearly always hold what it has: there is no zugzwang test by passing in a
    /// game where passing is worth so much, so the shallow search makes real moves; and with a capture at hand for
    /// either side the evaluation is not trusted near the leaves.
    pub(super) fn prune(
        &mut self,
        position: &Position,
        value: i32,
        depth: i32,
        ply: usize,
        window: Window,
    ) -> Result<Option<Score>, Stopped> {
        let among = window.alpha.is_evaluation() && window.beta.is_evaluation();
        if depth <= RFP_DEPTH {
            let enough = among
                && Score::evaluation(value - self.task.options.margins.rfp_margin * depth) >= window.beta;
            return Ok((enough && !position.is_threatened()).then(|| Score::evaluation(value)));
        }
        let margins = &self.task.options.margins;
        if depth < PROBCUT_DEPTH || self.in_probcut {
            return Ok(None);
        }
        let shallow = (depth - (margins.probcut_reduction + 50) / 100).max(PROBCUT_LEAST);
        let above = if among { window.beta.moved(margins.probcut_margin) } else { window.beta };
        if Score::evaluation(value) >= above {
            let score = self.probcut_search(position, shallow, ply, Window::above(above.below()))?;
            return Ok((score >= above).then_some(window.beta));
        }
        let under = if among { window.alpha.moved(-margins.probcut_margin) } else { window.alpha };
        if Score::evaluation(value) <= under {
            let score = self.probcut_search(position, shallow, ply, Window::above(under))?;
            return Ok((score <= under).then_some(window.alpha));
        }
        Ok(None)
    }

    /// Returns the shallower search, of which no node is pruned by a still shallower one.
    fn probcut_search(&mut self, position: &Position, depth: i32, ply: usize, window: Window) -> Searched {
        let within = std::mem::replace(&mut self.in_probcut, true);
        let score = self.search_node(position, depth, ply, window, &mut Line::new());
        self.in_probcut = within;
        score
    }
}
