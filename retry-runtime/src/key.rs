//! Idempotency keys: the name of one effect, so that a server that sees it twice does it once.
//!
//! A key is `Copy` and has no heap, since it goes with every attempt. It holds a UUID in binary or up to 30 bytes of the
//! caller's own text as it was. A longer text becomes its UUID v5 (RFC 9562, section 5.5), the same for the same text,
//! so that a caller's own retry keeps the key.

use core::fmt;
use core::str;

use crate::rng;

/// The most bytes of a text that is kept as it is: with it, a key has 32 bytes.
const TEXT: usize = 30;

/// The namespace of long texts' UUIDs: a random UUID that stands for this crate.
const NAMESPACE: [u8; 16] = [
    0xe0, 0xfc, 0x47, 0x43, 0x60, 0x4d, 0x4f, 0xde, 0xaa, 0x30, 0xa6, 0xc0, 0x99, 0x13, 0x86, 0xaa,
];

/// Names one run's effect: the same for every attempt and copy of it.
///
/// Its text (`to_string()`) is what goes into an `Idempotency-Key` header. Made from:
///
/// - nothing: a random UUID v4, once per run, before the first attempt;
/// - a UUID, in binary, as `u128` or as its canonical text;
/// - any other text: itself up to 30 bytes, its UUID v5 beyond that;
/// - a whole number: its decimal text.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct IdempotencyKey(Repr);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Repr {
    Uuid([u8; 16]),
    /// The bytes beyond `len` are zero.
    Text {
        len: u8,
        bytes: [u8; TEXT],
    },
}

impl IdempotencyKey {
    /// A random UUID v4.
    ///
    /// Its bits come from the operating system: a key that another process draws too would lose an effect.
    #[must_use]
    pub fn random() -> Self {
        let mut bytes = [0; 16];
        rng::system_bytes(&mut bytes);
        Self(Repr::Uuid(stamped(bytes, 4)))
    }

    /// The key of a UUID in binary.
    #[must_use]
    pub const fn from_uuid(bytes: [u8; 16]) -> Self {
        Self(Repr::Uuid(bytes))
    }

    /// The UUID in binary, unless the key is a text of another form.
    #[must_use]
    pub const fn as_uuid(&self) -> Option<[u8; 16]> {
        match self.0 {
            Repr::Uuid(bytes) => Some(bytes),
            Repr::Text { .. } => None,
        }
    }

    /// Writes the key's text into `buffer` and returns it: `to_string()` without the heap.
    #[must_use]
    pub fn encode<'b>(&self, buffer: &'b mut [u8; 36]) -> &'b str {
        let len = match self.0 {
            Repr::Text { len, bytes } => {
                buffer[..TEXT].copy_from_slice(&bytes);
                usize::from(len)
            }
            Repr::Uuid(bytes) => {
                const HEX: &[u8; 16] = b"0123456789abcdef";
                let mut at = 0;
                for (index, byte) in bytes.into_iter().enumerate() {
                    if matches!(index, 4 | 6 | 8 | 10) {
                        buffer[at] = b'-';
                        at += 1;
                    }
                    buffer[at] = HEX[usize::from(byte >> 4)];
                    buffer[at + 1] = HEX[usize::from(byte & 15)];
                    at += 2;
                }
                at
            }
        };
        // A text was a `str`, and hex digits are ASCII.
        str::from_utf8(&buffer[..len]).unwrap_or_default()
    }
}

/// `bytes` with a version and RFC 9562's variant stamped in.
const fn stamped(mut bytes: [u8; 16], version: u8) -> [u8; 16] {
    bytes[6] = (bytes[6] & 0x0f) | (version << 4);
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    bytes
}

/// The UUID that `text` is the canonical form of; other spellings are kept as text, since a key must not change.
fn canonical(text: &str) -> Option<[u8; 16]> {
    let text = text.as_bytes();
    if text.len() != 36 {
        return None;
    }
    let mut bytes = [0; 16];
    let mut at = 0;
    for (index, byte) in bytes.iter_mut().enumerate() {
        if matches!(index, 4 | 6 | 8 | 10) {
            if text[at] != b'-' {
                return None;
            }
            at += 1;
        }
        for digit in &text[at..at + 2] {
            let value = match digit {
                b'0'..=b'9' => digit - b'0',
                b'a'..=b'f' => digit - b'a' + 10,
                _ => return None,
            };
            *byte = (*byte << 4) | value;
        }
        at += 2;
    }
    Some(bytes)
}

fn v5(text: &str) -> [u8; 16] {
    let mut hash = sha1_smol::Sha1::new();
    hash.update(&NAMESPACE);
    hash.update(text.as_bytes());
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash.digest().bytes()[..16]);
    stamped(bytes, 5)
}

impl From<&str> for IdempotencyKey {
    fn from(text: &str) -> Self {
        if let Some(uuid) = canonical(text) {
            return Self(Repr::Uuid(uuid));
        }
        if text.len() > TEXT {
            return Self(Repr::Uuid(v5(text)));
        }
        let mut bytes = [0; TEXT];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        let len = u8::try_from(text.len()).expect("checked above");
        Self(Repr::Text { len, bytes })
    }
}

impl From<String> for IdempotencyKey {
    fn from(text: String) -> Self {
        Self::from(text.as_str())
    }
}

impl From<&String> for IdempotencyKey {
    fn from(text: &String) -> Self {
        Self::from(text.as_str())
    }
}

impl From<u128> for IdempotencyKey {
    fn from(uuid: u128) -> Self {
        Self(Repr::Uuid(uuid.to_be_bytes()))
    }
}

impl From<[u8; 16]> for IdempotencyKey {
    fn from(uuid: [u8; 16]) -> Self {
        Self(Repr::Uuid(uuid))
    }
}

macro_rules! decimal {
    ($($whole:ty),*) => {$(
        impl From<$whole> for IdempotencyKey {
            fn from(number: $whole) -> Self {
                Self::from(number.to_string())
            }
        }
    )*};
}

decimal!(u32, u64, i32, i64);

#[cfg(feature = "uuid")]
impl From<uuid::Uuid> for IdempotencyKey {
    fn from(uuid: uuid::Uuid) -> Self {
        Self(Repr::Uuid(uuid.into_bytes()))
    }
}

impl fmt::Display for IdempotencyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.encode(&mut [0; 36]))
    }
}

impl fmt::Debug for IdempotencyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "IdempotencyKey({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn a_random_key_is_a_uuid_of_version_four() {
        let text = IdempotencyKey::random().to_string();
        assert_eq!(text.len(), 36);
        assert_eq!(&text[14..15], "4");
        assert!(matches!(&text[19..20], "8" | "9" | "a" | "b"), "{text}");
    }

    #[test]
    fn no_two_random_keys_are_the_same() {
        let keys: HashSet<_> = (0..10_000).map(|_| IdempotencyKey::random()).collect();
        assert_eq!(keys.len(), 10_000);
    }

    #[test]
    fn a_text_is_kept_as_it_was() {
        for text in [
            "",
            "order-17",
            "01ARZ3NDEKTSV4RRFFQ69G5FAV",
            "grüße",
            "30 bytes are kept, and no more",
        ] {
            assert_eq!(IdempotencyKey::from(text).to_string(), text);
        }
        assert_eq!(IdempotencyKey::from("order-17").as_uuid(), None);
        let uuid = "67e55044-10b1-426f-9247-bb680e5fe0c8";
        assert_eq!(IdempotencyKey::from(uuid).to_string(), uuid);
        assert_eq!(
            IdempotencyKey::from(uuid).as_uuid().unwrap()[..4],
            [0x67, 0xe5, 0x50, 0x44]
        );
        assert_eq!(
            IdempotencyKey::from(0x67e5_5044_10b1_426f_9247_bb68_0e5f_e0c8_u128).to_string(),
            uuid
        );
        assert_eq!(IdempotencyKey::from(1234_u64).to_string(), "1234");
    }

    #[test]
    fn a_long_text_becomes_its_own_uuid_of_version_five() {
        let long = "x".repeat(40);
        assert_eq!(
            IdempotencyKey::from(&long).to_string(),
            "9ae4a7c7-6e3f-5b6f-94f4-06cefb413c48"
        );
        assert_ne!(IdempotencyKey::from(&long), IdempotencyKey::from("x".repeat(41)));
    }

    #[test]
    fn a_key_is_no_larger_inside_an_option() {
        assert_eq!(size_of::<IdempotencyKey>(), 32);
        assert_eq!(size_of::<Option<IdempotencyKey>>(), 32);
    }
}
