//! Descent with a memory of slopes: Adam (Kingma and Ba, 2014).

/// The state of the descent.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Descent {
    /// Of slopes, by parameter.
    pub(super) mean: Vec<f32>,
    /// Of their squares.
    pub(super) square: Vec<f32>,
    pub(super) steps: i32,
}

const MEAN: f32 = 0.9;
const SQUARE: f32 = 0.999;
const TINY: f32 = 1e-8;

impl Descent {
    pub(super) fn new(parameters: usize) -> Self {
        Self { mean: vec![0.0; parameters], square: vec![0.0; parameters], steps: 0 }
    }

    /// One step down.
    pub(super) fn step(
        &mut self,
        parameters: &mut [f32],
        slope: &[f32],
        rate: f32,
        limit: impl Fn(usize) -> f32,
    ) {
        self.steps += 1;
        let rate = rate * (1.0 - SQUARE.powi(self.steps)).sqrt() / (1.0 - MEAN.powi(self.steps));
        let state = self.mean.iter_mut().zip(&mut self.square);
        for (index, ((parameter, &slope), (mean, square))) in
            parameters.iter_mut().zip(slope).zip(state).enumerate()
        {
            *mean = MEAN * *mean + (1.0 - MEAN) * slope;
            *square = SQUARE * *square + (1.0 - SQUARE) * slope * slope;
            let most = limit(index);
            *parameter = (*parameter - rate * *mean / (square.sqrt() + TINY)).clamp(-most, most);
        }
    }
}
