//! A nanosecond amount with a fraction, multiplied by decimals without drift.

use crate::amount::{TOP, add, least, mul};
use crate::tree::Factor;

/// A decimal as a reduced fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ratio {
    pub(crate) num: u64,
    pub(crate) den: u64,
}

impl Ratio {
    pub(crate) const fn of(factor: Factor) -> Self {
        // A scale above 18 is not a value of the language; it is cut so that the power fits.
        let scale = if factor.scale > 18 { 18 } else { factor.scale };
        let mut den = 1;
        let mut i = 0;
        while i < scale {
            den *= 10;
            i += 1;
        }
        let (mut a, mut b) = (factor.digits, den);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        Self {
            num: factor.digits / a,
            den: den / a,
        }
    }

    /// `1 - x`, at least zero.
    pub(crate) const fn below_one(self) -> Self {
        Self {
            num: self.den.saturating_sub(self.num),
            den: self.den,
        }
    }

    /// `1 + x`.
    pub(crate) const fn above_one(self) -> Self {
        Self {
            num: self.den.saturating_add(self.num),
            den: self.den,
        }
    }

    /// `floor(whole · self)`, saturating.
    pub(crate) const fn floor_of(self, whole: u128) -> u128 {
        Exact::whole(whole).times(self).whole
    }
}

/// A whole number and 256 bits of fraction, the most significant limb first.
///
/// A reduced fraction `num/den` multiplies a whole number to a whole number for as long as `den` divides it, and never
/// again afterwards; so whole values are held exactly, and the others fall short by less than `2^-148` after 10,000
/// steps. Their floor is right unless the true value lies that little below a whole nanosecond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exact {
    pub(crate) whole: u128,
    fraction: [u64; 4],
}

impl Exact {
    pub(crate) const fn whole(whole: u128) -> Self {
        Self {
            whole,
            fraction: [0; 4],
        }
    }

    /// The product, its whole part cut at `TOP`.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "limbs are the low halves of u128 products"
    )]
    pub(crate) const fn times(self, by: Ratio) -> Self {
        let Ratio { num, den } = by;
        if den == 1 && self.fraction[0] == 0 && self.fraction[1] == 0 {
            // Only whole values have two leading limbs of zero after whole factors alone.
            if self.fraction[2] == 0 && self.fraction[3] == 0 {
                return Self::whole(mul(self.whole, num as u128));
            }
        }
        let (num, den) = (num as u128, den as u128);

        let mut fraction = [0; 4];
        let mut carry = 0_u128;
        let mut i = 4;
        while i > 0 {
            i -= 1;
            let product = self.fraction[i] as u128 * num + carry;
            fraction[i] = product as u64;
            carry = product >> 64;
        }

        // whole·num may leave u128 though the quotient doesn't: divide the part that can be divided first.
        let (quotient, rest) = (self.whole / den, self.whole % den);
        let low = rest * num + carry;
        let whole = add(mul(quotient, num), low / den);
        let mut rest = low % den;
        let mut i = 0;
        while i < 4 {
            let limb = rest << 64 | fraction[i] as u128;
            fraction[i] = (limb / den) as u64;
            rest = limb % den;
            i += 1;
        }
        Self {
            whole: least(whole, TOP),
            fraction,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ELEVEN_TENTHS: Ratio = Ratio { num: 11, den: 10 };

    #[test]
    fn a_decimal_is_reduced() {
        assert_eq!(
            Ratio::of(Factor {
                digits: 150,
                scale: 2
            }),
            Ratio { num: 3, den: 2 }
        );
        assert_eq!(
            Ratio::of(Factor { digits: 0, scale: 3 }),
            Ratio { num: 0, den: 1 }
        );
        assert_eq!(
            Ratio::of(Factor::whole(u64::MAX)),
            Ratio {
                num: u64::MAX,
                den: 1
            }
        );
    }

    #[test]
    fn whole_values_stay_whole() {
        let mut value = Exact::whole(100_000_000);
        for expected in [110_000_000, 121_000_000, 133_100_000, 146_410_000] {
            value = value.times(ELEVEN_TENTHS);
            assert_eq!(value, Exact::whole(expected));
        }
    }

    #[test]
    fn the_floor_is_that_of_the_exact_power() {
        // 11^k and 10^k fit in u128 up to k = 36.
        let mut value = Exact::whole(1);
        for k in 1..=36 {
            value = value.times(ELEVEN_TENTHS);
            assert_eq!(value.whole, 11_u128.pow(k) / 10_u128.pow(k), "k = {k}");
        }
    }

    #[test]
    fn a_product_beyond_u128_saturates() {
        assert_eq!(
            Exact::whole(TOP)
                .times(Ratio {
                    num: u64::MAX,
                    den: 1
                })
                .whole,
            TOP
        );
        assert_eq!(
            Exact::whole(TOP)
                .times(Ratio {
                    num: u64::MAX,
                    den: 3
                })
                .whole,
            TOP
        );
        let near_one = Ratio {
            num: 999_999_999,
            den: 1_000_000_000,
        };
        assert_eq!(near_one.floor_of(1_000_000_000), 999_999_999);
    }
}
