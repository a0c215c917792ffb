//! Descent with a memory of slopes (Adam: Kingma and Ba, 2014).

/// The state of the descent.
#[derive(Debug)]
pub(super) struct Descent {
    /// For each parameter, the mean of its slopes.
    pub(super) means: Vec<f32>,
    /// For each parameter, the mean of its slopes' squares.
    pub(super) squares: Vec<f32>,
    pub(super) steps: i32,
}

const MEAN: f32 = 0.9;
const SQUARE: f32 = 0.999;
const TINY: f32 = 1e-8;

impl Descent {
    pub(super) fn new(parameters: usize) -> Self {
        Self { means: vec![0.0; parameters], squares: vec![0.0; parameters], steps: 0 }
    }

    /// Moves every parameter one step down.
    pub(super) fn step(
        &mut self,
        parameters: &mut [f32],
        slope: &[f32],
        rate: f32,
        limit: impl Fn(usize) -> f32,
    ) {
        self.steps += 1;
        let rate = rate * (1.0 - SQUARE.powi(self.steps)).sqrt() / (1.0 - MEAN.powi(self.steps));
        for (index, ((parameter, &slope), (mean, square))) in
            parameters.iter_mut().zip(slope).zip(self.means.iter_mut().zip(&mut self.squares)).enumerate()
        {
            *mean = MEAN * *mean + (1.0 - MEAN) * slope;
            *square = SQUARE * *square + (1.0 - SQUARE) * slope * slope;
            let most = limit(index);
            *parameter = (*parameter - rate * *mean / (square.sqrt() + TINY)).clamp(-most, most);
        }
    }
}
