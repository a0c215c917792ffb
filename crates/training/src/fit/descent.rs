//! Descent with a memory of slopes: of all parameters at every step (Adam: Kingma and Ba, 2014), or of the few that a
//! batch touches (Adagrad: Duchi, Hazan and Singer, 2011).

/// The state of the descent.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Descent {
    /// Rows of numbers, one for each parameter: the mean of slopes and of their squares; or the sum of their squares.
    pub(super) memory: Vec<Vec<f32>>,
    pub(super) steps: i32,
}

const MEAN: f32 = 0.9;
const SQUARE: f32 = 0.999;
const TINY: f32 = 1e-8;
/// As if each parameter had known so much: what was seen once or twice moves little.
const KNOWN: f32 = 10.0;

impl Descent {
    pub(super) fn new(parameters: usize, rows: usize) -> Self {
        Self { memory: vec![vec![0.0; parameters]; rows], steps: 0 }
    }

    /// One step down, of all parameters. Takes two rows.
    pub(super) fn step(
        &mut self,
        parameters: &mut [f32],
        slope: &[f32],
        rate: f32,
        limit: impl Fn(usize) -> f32,
    ) {
        self.steps += 1;
        let rate = rate * (1.0 - SQUARE.powi(self.steps)).sqrt() / (1.0 - MEAN.powi(self.steps));
        let [means, squares] = self.memory.as_mut_slice() else { return };
        for (index, ((parameter, &slope), (mean, square))) in
            parameters.iter_mut().zip(slope).zip(means.iter_mut().zip(squares)).enumerate()
        {
            *mean = MEAN * *mean + (1.0 - MEAN) * slope;
            *square = SQUARE * *square + (1.0 - SQUARE) * slope * slope;
            let most = limit(index);
            *parameter = (*parameter - rate * *mean / (square.sqrt() + TINY)).clamp(-most, most);
        }
    }

    /// One step down, of one parameter. Takes one row.
    pub(super) fn nudge(&mut self, parameters: &mut [f32], index: usize, slope: f32, rate: f32, most: f32) {
        let square = self.memory.first_mut().and_then(|row| row.get_mut(index));
        let (Some(square), Some(parameter)) = (square, parameters.get_mut(index)) else { return };
        *square += slope * slope;
        *parameter = (*parameter - rate * slope / (KNOWN + *square).sqrt()).clamp(-most, most);
    }
}
