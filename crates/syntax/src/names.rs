//! Enums whose values have names.

/// Defines an enum whose values users and files call by names.
///
/// ```
/// kelso_syntax::named! {
///     #[derive(Default)]
///     pub enum Shape {
///         #[default]
///         Round: "round";
///         Square: "square";
///     }
/// }
///
/// assert_eq!(Shape::ALL.map(Shape::name), ["round", "square"]);
/// assert_eq!(Shape::from_name("square"), Some(Shape::Square));
/// assert_eq!(Shape::from_name("Square"), None);
/// ```
///
/// With a phrase after each name, the values have a [`Display`](std::fmt::Display), which shows the phrase.
///
/// ```
/// kelso_syntax::named! {
///     pub enum Fault {
///         Hang: "hang", "no answer";
///     }
/// }
///
/// assert_eq!((Fault::Hang.name(), Fault::Hang.to_string()), ("hang", "no answer".to_owned()));
/// ```
#[macro_export]
macro_rules! named {
    ($(#[$meta:meta])* pub enum $name:ident {
        $($(#[$variant_meta:meta])* $variant:ident: $text:literal;)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $name {
            $($(#[$variant_meta])* $variant,)*
        }

        impl $name {
            /// The names of all values.
            pub const NAMES: [&str; [$($text),*].len()] = [$($text),*];
            /// All values, in order.
            pub const ALL: [Self; Self::NAMES.len()] = [$(Self::$variant),*];

            /// Returns the name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                Self::NAMES[self as usize]
            }

            /// Returns the value with a name.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|value| value.name() == name)
            }
        }
    };
    ($(#[$meta:meta])* pub enum $name:ident {
        $($(#[$variant_meta:meta])* $variant:ident: $text:literal, $phrase:literal;)*
    }) => {
        $crate::named! {
            $(#[$meta])*
            pub enum $name {
                $($(#[$variant_meta])* $variant: $text;)*
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(match self {
                    $(Self::$variant => $phrase,)*
                })
            }
        }
    };
}
