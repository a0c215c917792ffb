//! Linear equations with a symmetric positive definite matrix.

/// A symmetric matrix, stored as its lower half.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Symmetric {
    size: usize,
    cells: Vec<f64>,
}

impl Symmetric {
    pub(super) fn zero(size: usize) -> Self {
        Self { size, cells: vec![0.0; size * size] }
    }

    /// Adds to a cell of the lower half.
    #[inline]
    pub(super) fn add(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] += value;
    }

    /// Adds a multiple of another matrix of the same size.
    pub(super) fn add_all(&mut self, other: &Self, factor: f64) {
        self.cells.iter_mut().zip(&other.cells).for_each(|(cell, other)| *cell += factor * other);
    }

    fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    /// Solves the equations by Cholesky decomposition. Returns `None` if the matrix is not positive definite.
    pub(super) fn solve(mut self, right: &[f64]) -> Option<Vec<f64>> {
        let size = self.size;
        for column in 0..size {
            for row in column..size {
                let sum: f64 = (0..column).map(|k| self.at(row, k) * self.at(column, k)).sum();
                let rest = self.at(row, column) - sum;
                let value = if row == column {
                    (rest > 0.0).then(|| rest.sqrt())?
                } else {
                    rest / self.at(column, column)
                };
                self.cells[row * size + column] = value;
            }
        }
        let mut vector = right.to_vec();
        for row in 0..size {
            let sum: f64 = (0..row).map(|k| self.at(row, k) * vector[k]).sum();
            vector[row] = (vector[row] - sum) / self.at(row, row);
        }
        for row in (0..size).rev() {
            let sum: f64 = (row + 1..size).map(|k| self.at(k, row) * vector[k]).sum();
            vector[row] = (vector[row] - sum) / self.at(row, row);
        }
        Some(vector)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: &[&[f64]]) -> Symmetric {
        let mut matrix = Symmetric::zero(rows.len());
        for (row, values) in rows.iter().enumerate() {
            values.iter().enumerate().for_each(|(column, &value)| matrix.add(row, column, value));
        }
        matrix
    }

    #[test]
    fn the_solution_satisfies_the_equations() {
        // 4a + 2b = 8, 2a + 5b + c = 13, b + 3c = 8.
        let solved = matrix(&[&[4.0], &[2.0, 5.0], &[0.0, 1.0, 3.0]]).solve(&[8.0, 13.0, 8.0]).unwrap();
        let [a, b, c] = solved[..] else { panic!("three") };
        for (left, right) in [(4.0 * a + 2.0 * b, 8.0), (2.0 * a + 5.0 * b + c, 13.0), (b + 3.0 * c, 8.0)] {
            assert!((left - right).abs() < 1e-9, "{solved:?}");
        }
    }

    #[test]
    fn a_matrix_that_is_not_positive_is_refused() {
        assert_eq!(matrix(&[&[1.0], &[2.0, 1.0]]).solve(&[1.0, 1.0]), None);
        assert_eq!(matrix(&[&[0.0]]).solve(&[1.0]), None);
    }
}
