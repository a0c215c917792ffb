//! The Adam optimiser (Kingma and Ba, 2014).

/// The state of the optimiser.
#[derive(Debug)]
pub(super) struct Adam {
    /// The mean gradient of each parameter.
    pub(super) means: Vec<f32>,
    /// The mean squared gradient of each parameter.
    pub(super) squares: Vec<f32>,
    pub(super) steps: i32,
}

const MEAN: f32 = 0.9;
const SQUARE: f32 = 0.999;
const TINY: f32 = 1e-8;

impl Adam {
    pub(super) fn new(parameters: usize) -> Self {
        Self { means: vec![0.0; parameters], squares: vec![0.0; parameters], steps: 0 }
    }

    /// Takes one step.
    pub(super) fn step(
        &mut self,
        parameters: &mut [f32],
        gradient: &[f32],
        rate: f32,
        limit: impl Fn(usize) -> f32,
    ) {
        self.steps += 1;
        let rate = rate * (1.0 - SQUARE.powi(self.steps)).sqrt() / (1.0 - MEAN.powi(self.steps));
        for (index, ((parameter, &gradient), (mean, square))) in
            parameters.iter_mut().zip(gradient).zip(self.means.iter_mut().zip(&mut self.squares)).enumerate()
        {
            *mean = MEAN * *mean + (1.0 - MEAN) * gradient;
            *square = SQUARE * *square + (1.0 - SQUARE) * gradient * gradient;
            let most = limit(index);
            *parameter = (*parameter - rate * *mean / (square.sqrt() + TINY)).clamp(-most, most);
        }
    }
}
