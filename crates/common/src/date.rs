//! Dates in PDN's form.

use std::time::SystemTime;

/// Returns today's date in PDN's form, in universal time.
pub fn today() -> Option<String> {
    let days = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok()?.as_secs() / 86400;
    Some(date(days))
}

/// Converts days since 1970-01-01. Years are counted from the first of March, so that leap days come last.
fn date(days: u64) -> String {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year}.{month:02}.{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        assert_eq!(date(0), "1970.01.01");
        assert_eq!(date(19_782), "2024.02.29");
        assert_eq!(date(20_513), "2026.03.01");
    }
}
