// Written by `RETRY_PLAN_EVIDENCE=write cargo test --test evidence --all-features the_list`.

entries! {
    P0 [] {
        timeout(7ms) {
            allowance(K = 1) {
                attempt(takes = 1ms..=2ms)
            }
        }
    }
    P1 [] {
        retry(attempts = 2, backoff = fixed(2ms), jitter = none) {
            retry(attempts = 3, backoff = exponential(2ms, factor = 2, max = 2ms), jitter = equal) {
                attempt(takes = 3ms..=4ms)
            }
        }
    }
    P2 [n1 n2] {
        retry(attempts = 3, backoff = exponential(2ms, factor = 2, max = 4ms), jitter = spread(0.5)) {
            parallel {
                n1: attempt(2ms, takes = 1ms..=4ms),
                n2: attempt(2ms),
            }
        }
    }
    P3 [] {
        retry(attempts = 2, backoff = decorrelated(1ms, max = 2ms), retry_after = Oops::hint, retry_after_max = 3ms) {
            allowance(K = 3) {
                attempt(3ms)
            }
        }
    }
    P4 [] {
        hedge(after = 1ms, copies = 2, budget = J) {
            retry(attempts = 3, backoff = exponential(2ms, factor = 2, max = 4ms), jitter = spread(0.5)) {
                attempt(takes = 2ms)
            }
        }
    }
    P5 [n1 n2] {
        hedge(after = 2ms, copies = 3, budget = K) {
            parallel {
                n1: attempt(takes = 3ms..=4ms),
                n2: attempt(takes = 4ms..=4ms),
            }
        }
    }
    P6 [n1 n2] {
        fallback {
            n1: retry(attempts = 3, backoff = exponential(1ms, factor = 2, max = 2ms), jitter = full) {
                attempt(5ms)
            },
            n2: attempt(takes = 4ms..=4ms),
        }
    }
    P7 [n1 n2] {
        timeout(7ms) {
            deadline(10ms) {
                fallback {
                    n1: attempt(takes = 4ms..=4ms),
                    n2: attempt(takes = 1ms..=4ms),
                }
            }
        }
    }
    P8 [] {
        timeout(7ms) {
            retry(attempts = 3, backoff = fixed(1ms), jitter = none, budget = K) {
                deadline(4ms) {
                    attempt(2ms, takes = 1ms..=4ms)
                }
            }
        }
    }
    P9 [] {
        timeout(7ms) {
            hedge(after = 1ms, copies = 3, budget = K) {
                hedge(after = 2ms, copies = 2, budget = J) {
                    attempt(1ms)
                }
            }
        }
    }
    P10 [n3 n4 n2] {
        timeout(4ms) {
            series {
                n1: series {
                    n3: attempt(takes = 4ms..=4ms),
                    n4: attempt(5ms),
                },
                n2: attempt(takes = 4ms..=4ms),
            }
        }
    }
    P11 [n1 n3 n4] {
        timeout(4ms) {
            parallel {
                n1: attempt(takes = 2ms),
                n2: fallback {
                    n3: attempt,
                    n4: attempt(2ms),
                },
            }
        }
    }
    P12 [n1 n2] {
        timeout(9ms) {
            race {
                n1: attempt(1ms),
                n2: deadline(6ms) {
                    attempt(takes = 1ms..=2ms)
                },
            }
        }
    }
    P13 [] {
        deadline(8ms) {
            retry(attempts = 2, backoff = fixed(0s), jitter = none) {
                retry(attempts = 3, backoff = fixed(1ms), jitter = none, budget = K) {
                    attempt(3ms, takes = 1ms..=4ms)
                }
            }
        }
    }
    P14 [n1 n2] {
        deadline(8ms) {
            retry(attempts = 2, backoff = decorrelated(1ms, max = 2ms), retry_after = Oops::hint, retry_after_max = 3ms) {
                series {
                    n1: attempt(5ms),
                    n2: attempt(takes = 1ms..=2ms),
                }
            }
        }
    }
    P15 [n1 n2] {
        deadline(8ms) {
            hedge(after = 2ms, copies = 3, budget = K) {
                fallback {
                    n1: attempt(takes = 3ms..=4ms),
                    n2: attempt(takes = 2ms..=3ms),
                }
            }
        }
    }
    P16 [n1 n2] {
        deadline(3ms) {
            series {
                n1: attempt(2ms),
                n2: timeout(9ms) {
                    attempt
                },
            }
        }
    }
    P17 [n1 n2] {
        deadline(4ms) {
            fallback {
                n1: retry(attempts = 3, backoff = fixed(3ms), jitter = none, budget = K) {
                    attempt(takes = 1ms..=3ms)
                },
                n2: attempt(takes = 3ms..=4ms),
            }
        }
    }
    P18 [n1 n2] {
        deadline(4ms) {
            race {
                n1: attempt(takes = 2ms..=3ms),
                n2: hedge(after = 2ms, copies = 2) {
                    attempt(3ms, takes = 1ms..)
                },
            }
        }
    }
    P19 [n1 n2] {
        retry(attempts = 2, backoff = fixed(1ms), jitter = none) {
            retry(attempts = 3, backoff = fixed(3ms), jitter = none, budget = K) {
                fallback {
                    n1: attempt(2ms),
                    n2: attempt(takes = 2ms),
                }
            }
        }
    }
    P20 [] {
        retry(attempts = 2, backoff = fixed(1ms), jitter = none) {
            hedge(after = 3ms, copies = 2) {
                timeout(9ms) {
                    attempt(takes = 4ms..=4ms)
                }
            }
        }
    }
    P21 [n1 n2] {
        retry(attempts = 2, backoff = fixed(3ms), jitter = none) {
            series {
                n1: attempt(1ms),
                n2: hedge(after = 3ms, copies = 2) {
                    attempt(takes = 1ms..=4ms)
                },
            }
        }
    }
    P22 [n1 n2] {
        retry(attempts = 2, backoff = fixed(3ms), jitter = none) {
            fallback {
                n1: deadline(12ms) {
                    attempt(2ms, takes = 1ms..)
                },
                n2: attempt(3ms),
            }
        }
    }
    P23 [] {
        retry(attempts = 3, backoff = exponential(2ms, factor = 2, max = 2ms), jitter = equal) {
            retry(attempts = 3, backoff = exponential(2ms, factor = 2, max = 4ms), jitter = spread(0.5)) {
                timeout(5ms) {
                    attempt(2ms)
                }
            }
        }
    }
    P24 [] {
        retry(attempts = 3, backoff = exponential(2ms, factor = 2, max = 4ms), jitter = spread(0.5)) {
            retry(attempts = ..=3, backoff = fixed(1ms), jitter = none) {
                retry(attempts = 2, backoff = linear(1ms), jitter = none, when = Oops::again) {
                    attempt(takes = 3ms..=4ms)
                }
            }
        }
    }
    P25 [] {
        retry(attempts = 3, backoff = exponential(2ms, factor = 2, max = 4ms), jitter = full) {
            allowance(K = 2) {
                deadline(5ms) {
                    attempt(takes = 1ms..=4ms)
                }
            }
        }
    }
    P26 [n1 n3 n4] {
        retry(attempts = 3, backoff = exponential(2ms, factor = 2, max = 4ms), jitter = full) {
            series {
                n1: attempt(takes = 4ms..=4ms),
                n2: parallel {
                    n3: attempt(takes = 4ms..=4ms),
                    n4: attempt(3ms, takes = 1ms..),
                },
            }
        }
    }
    P27 [] {
        retry(attempts = 2, backoff = linear(1ms), jitter = none, timeouts = stop) {
            timeout(4ms) {
                retry(attempts = 2, backoff = linear(1ms), jitter = none, when = Oops::again, timeouts = stop) {
                    attempt(3ms)
                }
            }
        }
    }
    P28 [] {
        retry(attempts = 2, backoff = linear(1ms), jitter = none) {
            retry(attempts = 3, backoff = exponential(2ms, factor = 2, max = 2ms), jitter = equal) {
                retry(attempts = 2, backoff = decorrelated(1ms, max = 2ms), retry_after = Oops::hint, retry_after_max = 3ms) {
                    attempt(takes = 4ms..=4ms)
                }
            }
        }
    }
    P29 [n1 n2] {
        retry(attempts = 2, backoff = linear(1ms), jitter = none, timeouts = stop) {
            hedge(after = 2ms, copies = 2) {
                parallel {
                    n1: attempt(2ms),
                    n2: attempt(takes = 1ms..=2ms),
                }
            }
        }
    }
    P30 [n1 n2] {
        retry(attempts = 2, backoff = linear(1ms), jitter = none, when = Oops::again) {
            allowance(K = 1) {
                race {
                    n1: attempt(3ms),
                    n2: attempt(2ms, takes = 1ms..),
                }
            }
        }
    }
    P31 [n1 n2] {
        retry(attempts = 2, backoff = linear(1ms), jitter = none, when = Oops::again, timeouts = stop) {
            fallback {
                n1: attempt(takes = 1ms..=3ms),
                n2: retry(attempts = 2, backoff = decorrelated(1ms, max = 2ms), retry_after = Oops::hint, retry_after_max = 3ms) {
                    attempt(1ms)
                },
            }
        }
    }
    P32 [] {
        retry(attempts = 3, backoff = fixed(1ms), jitter = none, budget = K) {
            timeout(9ms) {
                allowance(K = 3) {
                    attempt(takes = 3ms..=4ms)
                }
            }
        }
    }
    P33 [] {
        retry(attempts = 3, backoff = fixed(3ms), jitter = none, budget = K) {
            hedge(after = 1ms, copies = 2, budget = J) {
                retry(attempts = 3, backoff = exponential(2ms, factor = 2, max = 2ms), jitter = equal) {
                    attempt(3ms, takes = 1ms..)
                }
            }
        }
    }
    P34 [n1 n2] {
        retry(attempts = 3, backoff = fixed(3ms), jitter = none, budget = K) {
            parallel {
                n1: allowance(K = 3) {
                    attempt(5ms)
                },
                n2: attempt(2ms),
            }
        }
    }
    P35 [] {
        retry(attempts = ..=3, backoff = fixed(1ms), jitter = none) {
            retry(attempts = 2, backoff = linear(1ms), jitter = none, when = Oops::again, timeouts = stop) {
                retry(attempts = 3, backoff = exponential(1ms, factor = 2, max = 2ms), jitter = full) {
                    attempt(takes = 4ms)
                }
            }
        }
    }
    P36 [n1 n2] {
        retry(attempts = unlimited, backoff = fixed(2ms), jitter = none) {
            deadline(5ms) {
                parallel {
                    n1: attempt(2ms),
                    n2: attempt(takes = 4ms..=4ms),
                }
            }
        }
    }
    P37 [n1 n2] {
        retry(attempts = 2, backoff = decorrelated(1ms, max = 2ms), retry_after = Oops::hint, retry_after_max = 3ms) {
            deadline(3ms) {
                series {
                    n1: attempt(1ms),
                    n2: attempt(2ms, takes = 1ms..),
                }
            }
        }
    }
    P38 [] {
        retry(attempts = 2, backoff = decorrelated(1ms, max = 2ms), retry_after = Oops::hint, retry_after_max = 3ms) {
            retry(attempts = 2, backoff = decorrelated(1ms, max = 2ms), retry_after = Oops::hint, retry_after_max = 3ms) {
                retry(attempts = 2, backoff = fixed(1ms), jitter = none) {
                    attempt(1ms)
                }
            }
        }
    }
    P39 [n1 n3 n4] {
        retry(attempts = 2, backoff = decorrelated(1ms, max = 2ms), retry_after = Oops::hint, retry_after_max = 3ms) {
            parallel {
                n1: attempt(3ms),
                n2: series {
                    n3: attempt(takes = 3ms),
                    n4: attempt(takes = 3ms),
                },
            }
        }
    }
    P40 [n3 n4 n2] {
        retry(attempts = 2, backoff = decorrelated(1ms, max = 2ms), retry_after = Oops::hint, retry_after_max = 3ms) {
            race {
                n1: fallback {
                    n3: attempt(takes = 1ms..=4ms),
                    n4: attempt(3ms, takes = 1ms..),
                },
                n2: attempt(2ms),
            }
        }
    }
    P41 [] {
        hedge(after = 3ms, copies = 2) {
            retry(attempts = 2, backoff = decorrelated(1ms, max = 2ms), retry_after = Oops::hint, retry_after_max = 3ms) {
                hedge(after = 1ms, copies = 2, budget = J) {
                    attempt(takes = 3ms..=4ms)
                }
            }
        }
    }
    P42 [n3 n4 n2] {
        hedge(after = 2ms, copies = 2) {
            series {
                n1: fallback {
                    n3: attempt(takes = 4ms..=4ms),
                    n4: attempt(takes = 4ms),
                },
                n2: attempt(takes = 4ms..=4ms),
            }
        }
    }
    P43 [n1 n2] {
        hedge(after = 2ms, copies = 2) {
            fallback {
                n1: deadline(8ms) {
                    attempt(3ms, takes = 1ms..=2ms)
                },
                n2: attempt(takes = 3ms),
            }
        }
    }
    P44 [] {
        hedge(after = 2ms, copies = 2, budget = J) {
            retry(attempts = 2, backoff = fixed(1ms), jitter = none) {
                hedge(after = 2ms, copies = 2, budget = J) {
                    attempt(5ms)
                }
            }
        }
    }
    P45 [n1 n2] {
        hedge(after = 2ms, copies = 2, budget = J) {
            retry(attempts = 3, backoff = fixed(2ms), jitter = none, budget = K) {
                series {
                    n1: attempt(takes = 4ms..=4ms),
                    n2: attempt(takes = 3ms..=4ms),
                }
            }
        }
    }
    P46 [] {
        hedge(after = 2ms, copies = 2, budget = J) {
            allowance(K = 1) {
                deadline(10ms) {
                    attempt(takes = 2ms)
                }
            }
        }
    }
    P47 [n1 n2] {
        hedge(after = 2ms, copies = 2, budget = J) {
            series {
                n1: attempt(2ms),
                n2: retry(attempts = 3, backoff = fixed(2ms), jitter = none, budget = K) {
                    attempt(2ms, takes = 1ms..=2ms)
                },
            }
        }
    }
    P48 [n1 n2] {
        hedge(after = 2ms, copies = 3, budget = K) {
            retry(attempts = 2, backoff = fixed(1ms), jitter = none) {
                fallback {
                    n1: attempt(takes = 3ms..=4ms),
                    n2: attempt(1ms),
                }
            }
        }
    }
    P49 [] {
        hedge(after = 2ms, copies = 3, budget = K) {
            retry(attempts = ..=3, backoff = fixed(1ms), jitter = none) {
                timeout(4ms) {
                    attempt
                }
            }
        }
    }
    P50 [] {
        hedge(after = 2ms, copies = 3, budget = K) {
            hedge(after = 3ms, copies = 2) {
                retry(attempts = 3, backoff = fixed(1ms), jitter = none, budget = K) {
                    attempt(takes = 2ms)
                }
            }
        }
    }
    P51 [] {
        hedge(after = 2ms, copies = 3, budget = K) {
            allowance(K = 2) {
                hedge(after = 1ms, copies = 2) {
                    attempt(3ms, takes = 1ms..=2ms)
                }
            }
        }
    }
    P52 [n3 n4 n2] {
        hedge(after = 2ms, copies = 3, budget = K) {
            fallback {
                n1: fallback {
                    n3: attempt(3ms),
                    n4: attempt(takes = 1ms..=3ms),
                },
                n2: attempt(takes = 4ms..=4ms),
            }
        }
    }
    P53 [] {
        allowance(K = 1) {
            timeout(9ms) {
                timeout(7ms) {
                    attempt(takes = 4ms..=4ms)
                }
            }
        }
    }
    P54 [] {
        allowance(K = 1) {
            hedge(after = 1ms, copies = 2) {
                deadline(12ms) {
                    attempt(2ms, takes = 1ms..=2ms)
                }
            }
        }
    }
    P55 [n1 n2] {
        allowance(K = 3) {
            parallel {
                n1: timeout(2ms) {
                    attempt(1ms)
                },
                n2: attempt(takes = 2ms..=3ms),
            }
        }
    }
    P56 [n1 n2] {
        allowance(K = 1) {
            fallback {
                n1: attempt(takes = 3ms),
                n2: retry(attempts = 2, backoff = linear(1ms), jitter = none) {
                    attempt(takes = 3ms..=4ms)
                },
            }
        }
    }
    P57 [] {
        deadline(5ms) {
            timeout(7ms) {
                retry(attempts = 2, backoff = decorrelated(1ms, max = 2ms), retry_after = Oops::hint, retry_after_max = 3ms) {
                    attempt
                }
            }
        }
    }
    P58 [] {
        deadline(5ms) {
            retry(attempts = 3, backoff = exponential(2ms, factor = 2, max = 4ms), jitter = spread(0.5)) {
                deadline(12ms) {
                    attempt(takes = 2ms..=4ms)
                }
            }
        }
    }
    P59 [n1 n2] {
        deadline(5ms) {
            retry(attempts = ..=3, backoff = fixed(1ms), jitter = none) {
                parallel {
                    n1: attempt(takes = 4ms..=4ms),
                    n2: attempt(3ms, takes = 1ms..=2ms),
                }
            }
        }
    }
    P60 [] {
        deadline(5ms) {
            deadline(5ms) {
                retry(attempts = 2, backoff = linear(1ms), jitter = none, when = Oops::again, timeouts = stop) {
                    attempt(5ms)
                }
            }
        }
    }
    P61 [n1 n2] {
        deadline(12ms) {
            parallel {
                n1: retry(attempts = 2, backoff = decorrelated(1ms, max = 2ms), retry_after = Oops::hint, retry_after_max = 3ms) {
                    attempt(takes = 4ms..=4ms)
                },
                n2: attempt(5ms),
            }
        }
    }
    P62 [n1 n2] {
        deadline(12ms) {
            fallback {
                n1: attempt(takes = 3ms..=4ms),
                n2: allowance(K = 1) {
                    attempt
                },
            }
        }
    }
    P63 [n3 n4 n2] {
        series {
            n1: timeout(5ms) {
                parallel {
                    n3: attempt(1ms),
                    n4: attempt(takes = 2ms..=2ms),
                }
            },
            n2: attempt(takes = 4ms..=4ms),
        }
    }
    P64 [n3 n4 n2] {
        series {
            n1: retry(attempts = 3, backoff = exponential(2ms, factor = 2, max = 4ms), jitter = spread(0.5)) {
                race {
                    n3: attempt(5ms),
                    n4: attempt(2ms, takes = 1ms..=2ms),
                }
            },
            n2: attempt(takes = 4ms..=4ms),
        }
    }
    P65 [n1 n2] {
        series {
            n1: hedge(after = 2ms, copies = 2, budget = J) {
                retry(attempts = 2, backoff = decorrelated(1ms, max = 2ms), retry_after = Oops::hint, retry_after_max = 3ms) {
                    attempt(2ms)
                }
            },
            n2: attempt(1ms),
        }
    }
    P66 [n1 n2] {
        series {
            n1: deadline(12ms) {
                allowance(K = 1) {
                    attempt(takes = 4ms..=4ms)
                }
            },
            n2: attempt(takes = 4ms..=4ms),
        }
    }
    P67 [n3 n5 n6 n2] {
        series {
            n1: fallback {
                n3: attempt(2ms),
                n4: race {
                    n5: attempt(1ms),
                    n6: attempt(takes = 2ms..=2ms),
                },
            },
            n2: attempt(takes = 4ms..=4ms),
        }
    }
    P68 [n1 n2] {
        series {
            n1: attempt(takes = 2ms..=2ms),
            n2: deadline(3ms) {
                retry(attempts = 3, backoff = exponential(2ms, factor = 2, max = 4ms), jitter = full) {
                    attempt(3ms, takes = 1ms..=2ms)
                }
            },
        }
    }
    P69 [n1 n3 n4] {
        series {
            n1: attempt(takes = 4ms..=4ms),
            n2: hedge(after = 2ms, copies = 2, budget = J) {
                parallel {
                    n3: attempt(takes = 3ms..=4ms),
                    n4: attempt(takes = 2ms..=2ms),
                }
            },
        }
    }
    P70 [n1 n3 n4] {
        series {
            n1: attempt(takes = 3ms),
            n2: deadline(12ms) {
                race {
                    n3: attempt,
                    n4: attempt(takes = 3ms),
                }
            },
        }
    }
    P71 [n1 n3 n4] {
        series {
            n1: attempt(takes = 4ms),
            n2: parallel {
                n3: attempt(takes = 4ms),
                n4: retry(attempts = 3, backoff = exponential(2ms, factor = 2, max = 2ms), jitter = equal) {
                    attempt(takes = 2ms..=3ms)
                },
            },
        }
    }
    P72 [n3 n4 n2] {
        parallel {
            n1: retry(attempts = 2, backoff = linear(1ms), jitter = none, timeouts = stop) {
                parallel {
                    n3: attempt(1ms),
                    n4: attempt(takes = 3ms..=4ms),
                }
            },
            n2: attempt(takes = 3ms..=4ms),
        }
    }
    P73 [n3 n4 n2] {
        parallel {
            n1: parallel {
                n3: attempt(5ms),
                n4: hedge(after = 2ms, copies = 3, budget = K) {
                    attempt(2ms, takes = 1ms..=4ms)
                },
            },
            n2: attempt(3ms),
        }
    }
    P74 [n1 n3 n4] {
        parallel {
            n1: attempt(takes = 1ms..=3ms),
            n2: deadline(6ms) {
                race {
                    n3: attempt(5ms),
                    n4: attempt(takes = 3ms..=4ms),
                }
            },
        }
    }
    P75 [n1 n2] {
        parallel {
            n1: attempt(takes = 2ms..=3ms),
            n2: retry(attempts = 3, backoff = fixed(1ms), jitter = none, budget = K) {
                retry(attempts = 2, backoff = fixed(0s), jitter = none) {
                    attempt(takes = 3ms..=4ms)
                }
            },
        }
    }
    P76 [n1 n2] {
        parallel {
            n1: attempt(3ms),
            n2: hedge(after = 1ms, copies = 3, budget = K) {
                hedge(after = 2ms, copies = 3, budget = K) {
                    attempt(takes = 2ms..=2ms)
                }
            },
        }
    }
    P77 [n1 n5 n6 n4] {
        parallel {
            n1: attempt(3ms),
            n2: series {
                n3: series {
                    n5: attempt(2ms),
                    n6: attempt(3ms, takes = 1ms..=4ms),
                },
                n4: attempt(takes = 1ms..=3ms),
            },
        }
    }
    P78 [n1 n3 n4] {
        parallel {
            n1: attempt(takes = 2ms..=2ms),
            n2: race {
                n3: attempt(takes = 3ms..=4ms),
                n4: retry(attempts = 2, backoff = fixed(3ms), jitter = none) {
                    attempt(5ms)
                },
            },
        }
    }
    P79 [n3 n4 n2] {
        fallback {
            n1: hedge(after = 2ms, copies = 3, budget = K) {
                fallback {
                    n3: attempt(takes = 2ms..=2ms),
                    n4: attempt(2ms, takes = 1ms..=4ms),
                }
            },
            n2: attempt(takes = 4ms..=4ms),
        }
    }
    P80 [n3 n4 n2] {
        fallback {
            n1: race {
                n3: attempt(5ms),
                n4: hedge(after = 1ms, copies = 2, budget = J) {
                    attempt(takes = 3ms..=4ms)
                },
            },
            n2: attempt(5ms),
        }
    }
    P81 [n1 n3 n4] {
        fallback {
            n1: attempt(3ms),
            n2: retry(attempts = 3, backoff = fixed(1ms), jitter = none, budget = K) {
                fallback {
                    n3: attempt(takes = 2ms..=4ms),
                    n4: attempt(takes = 2ms..=3ms),
                }
            },
        }
    }
    P82 [n1 n2] {
        fallback {
            n1: attempt(takes = 4ms..=4ms),
            n2: hedge(after = 3ms, copies = 2) {
                deadline(4ms) {
                    attempt(3ms, takes = 1ms..=4ms)
                }
            },
        }
    }
    P83 [n1 n2] {
        race {
            n1: retry(attempts = 3, backoff = exponential(2ms, factor = 2, max = 4ms), jitter = full) {
                deadline(6ms) {
                    attempt(takes = 2ms..=4ms)
                }
            },
            n2: attempt(takes = 4ms..=4ms),
        }
    }
    P84 [n3 n4 n2] {
        race {
            n1: fallback {
                n3: attempt(takes = 2ms..=4ms),
                n4: timeout(9ms) {
                    attempt
                },
            },
            n2: attempt(takes = 2ms),
        }
    }
    P85 [n1 n2] {
        race {
            n1: attempt(takes = 4ms..=4ms),
            n2: timeout(5ms) {
                retry(attempts = 3, backoff = fixed(2ms), jitter = none, budget = K) {
                    attempt(takes = 1ms..=2ms)
                }
            },
        }
    }
    P86 [n1 n2] {
        race {
            n1: attempt(takes = 4ms),
            n2: retry(attempts = 3, backoff = exponential(1ms, factor = 2, max = 2ms), jitter = full) {
                hedge(after = 1ms, copies = 2) {
                    attempt(3ms, takes = 1ms..=4ms)
                }
            },
        }
    }
    P87 [n1 n3 n4] {
        race {
            n1: attempt(takes = 3ms..=4ms),
            n2: hedge(after = 1ms, copies = 2) {
                fallback {
                    n3: attempt(5ms),
                    n4: attempt(5ms),
                }
            },
        }
    }
    P88 [n1 n2] {
        race {
            n1: attempt(takes = 1ms..=4ms),
            n2: deadline(5ms) {
                timeout(9ms) {
                    attempt(takes = 3ms..=4ms)
                }
            },
        }
    }
    P89 [n1 n3 n4] {
        race {
            n1: attempt(takes = 1ms..=2ms),
            n2: fallback {
                n3: attempt(takes = 2ms),
                n4: hedge(after = 2ms, copies = 2) {
                    attempt(takes = 1ms..=3ms)
                },
            },
        }
    }
    P90 [n1 n2] {
        series {
            n1: timeout(5ms) {
                attempt(2ms)
            },
            n2: deadline(8ms) {
                attempt(1ms)
            },
        }
    }
    P91 [n1 n2] {
        parallel {
            n1: deadline(3ms) {
                attempt(3ms)
            },
            n2: deadline(4ms) {
                attempt(takes = 1ms..=2ms)
            },
        }
    }
    P92 [n1 n2] {
        fallback {
            n1: retry(attempts = 2, backoff = fixed(2ms), jitter = none) {
                attempt(2ms)
            },
            n2: retry(attempts = 2, backoff = fixed(2ms), jitter = none) {
                attempt(2ms)
            },
        }
    }
    P93 [n1 n2] {
        fallback {
            n1: hedge(after = 1ms, copies = 2) {
                attempt(takes = 2ms..=2ms)
            },
            n2: hedge(after = 2ms, copies = 2) {
                attempt(3ms)
            },
        }
    }
    P94 [n1 n2] {
        race {
            n1: retry(attempts = 3, backoff = exponential(1ms, factor = 2, max = 2ms), jitter = full) {
                attempt(1ms)
            },
            n2: retry(attempts = 2, backoff = fixed(0s), jitter = none) {
                attempt(takes = 2ms..=4ms)
            },
        }
    }
    P95 [n1 n2] {
        race {
            n1: hedge(after = 1ms, copies = 3, budget = K) {
                attempt(takes = 1ms..=4ms)
            },
            n2: hedge(after = 1ms, copies = 2) {
                attempt(takes = 2ms..=2ms)
            },
        }
    }
    P96 [n1 n2] {
        timeout(2ms) {
            series {
                n1: retry(attempts = 2, backoff = linear(1ms), jitter = none, when = Oops::again, timeouts = stop) {
                    attempt(1ms)
                },
                n2: retry(attempts = 3, backoff = exponential(2ms, factor = 2, max = 4ms), jitter = full) {
                    attempt(5ms)
                },
            }
        }
    }
    P97 [n1 n2] {
        timeout(9ms) {
            series {
                n1: deadline(12ms) {
                    attempt(takes = 2ms..=4ms)
                },
                n2: hedge(after = 2ms, copies = 3, budget = K) {
                    attempt(2ms)
                },
            }
        }
    }
    P98 [n1 n2] {
        timeout(9ms) {
            parallel {
                n1: retry(attempts = 3, backoff = fixed(3ms), jitter = none, budget = K) {
                    attempt(2ms)
                },
                n2: retry(attempts = 3, backoff = exponential(2ms, factor = 2, max = 4ms), jitter = full) {
                    attempt(takes = 1ms..=2ms)
                },
            }
        }
    }
    P99 [n1 n2] {
        timeout(5ms) {
            parallel {
                n1: timeout(5ms) {
                    attempt(takes = 1ms..=4ms)
                },
                n2: deadline(12ms) {
                    attempt(1ms)
                },
            }
        }
    }
    P100 [n1 n2] {
        timeout(4ms) {
            fallback {
                n1: deadline(10ms) {
                    attempt(takes = 1ms..=2ms)
                },
                n2: deadline(5ms) {
                    attempt(takes = 3ms)
                },
            }
        }
    }
    P101 [n1 n2] {
        timeout(4ms) {
            race {
                n1: hedge(after = 1ms, copies = 2) {
                    attempt(5ms)
                },
                n2: retry(attempts = 2, backoff = linear(1ms), jitter = none, timeouts = stop) {
                    attempt(takes = 2ms)
                },
            }
        }
    }
    P102 [n1 n2] {
        deadline(8ms) {
            series {
                n1: retry(attempts = 2, backoff = fixed(0s), jitter = none) {
                    attempt(takes = 1ms..=3ms)
                },
                n2: timeout(9ms) {
                    attempt(3ms)
                },
            }
        }
    }
    P103 [n1 n2] {
        deadline(8ms) {
            series {
                n1: hedge(after = 1ms, copies = 3, budget = K) {
                    attempt(1ms)
                },
                n2: retry(attempts = 3, backoff = fixed(2ms), jitter = none, budget = K) {
                    attempt(5ms)
                },
            }
        }
    }
    P104 [n1 n2] {
        deadline(10ms) {
            parallel {
                n1: retry(attempts = 3, backoff = exponential(2ms, factor = 2, max = 2ms), jitter = equal) {
                    attempt(takes = 2ms..=2ms)
                },
                n2: timeout(9ms) {
                    attempt(takes = 1ms..=4ms)
                },
            }
        }
    }
    P105 [n1 n2] {
        deadline(10ms) {
            parallel {
                n1: deadline(12ms) {
                    attempt(3ms)
                },
                n2: retry(attempts = 3, backoff = fixed(1ms), jitter = none, budget = K) {
                    attempt(takes = 2ms)
                },
            }
        }
    }
    P106 [n1 n2] {
        deadline(4ms) {
            fallback {
                n1: retry(attempts = 2, backoff = linear(1ms), jitter = none, when = Oops::again, timeouts = stop) {
                    attempt(takes = 2ms..=2ms)
                },
                n2: deadline(6ms) {
                    attempt(2ms)
                },
            }
        }
    }
    P107 [n1 n2] {
        deadline(6ms) {
            race {
                n1: retry(attempts = 3, backoff = fixed(0s), jitter = none, budget = K) {
                    attempt(takes = 2ms..=2ms)
                },
                n2: deadline(4ms) {
                    attempt(takes = 4ms)
                },
            }
        }
    }
    P108 [n1 n2] {
        deadline(6ms) {
            race {
                n1: deadline(8ms) {
                    attempt(2ms)
                },
                n2: hedge(after = 2ms, copies = 2) {
                    attempt(5ms)
                },
            }
        }
    }
    P109 [n1 n2] {
        retry(attempts = 2, backoff = fixed(0s), jitter = none) {
            series {
                n1: retry(attempts = 2, backoff = fixed(3ms), jitter = none) {
                    attempt(1ms)
                },
                n2: hedge(after = 3ms, copies = 2) {
                    attempt(takes = 4ms)
                },
            }
        }
    }
    P110 [n1 n2] {
        retry(attempts = 2, backoff = fixed(3ms), jitter = none) {
            parallel {
                n1: hedge(after = 1ms, copies = 2) {
                    attempt(takes = 2ms..=2ms)
                },
                n2: retry(attempts = 2, backoff = fixed(2ms), jitter = none) {
                    attempt(takes = 2ms..=2ms)
                },
            }
        }
    }
    P111 [n1 n2] {
        retry(attempts = 2, backoff = fixed(1ms), jitter = none) {
            parallel {
                n1: retry(attempts = 3, backoff = exponential(2ms, factor = 2, max = 4ms), jitter = spread(0.5)) {
                    attempt(2ms)
                },
                n2: hedge(after = 2ms, copies = 3, budget = K) {
                    attempt(5ms)
                },
            }
        }
    }
    P112 [n1 n2] {
        retry(attempts = 2, backoff = fixed(0s), jitter = none) {
            fallback {
                n1: hedge(after = 1ms, copies = 3, budget = K) {
                    attempt(takes = 1ms..=4ms)
                },
                n2: retry(attempts = 3, backoff = exponential(2ms, factor = 2, max = 4ms), jitter = full) {
                    attempt(3ms)
                },
            }
        }
    }
    P113 [n1 n2] {
        retry(attempts = 2, backoff = fixed(2ms), jitter = none) {
            fallback {
                n1: retry(attempts = 2, backoff = linear(1ms), jitter = none) {
                    attempt(2ms)
                },
                n2: hedge(after = 1ms, copies = 3, budget = K) {
                    attempt(takes = 2ms)
                },
            }
        }
    }
    P114 [n1 n2] {
        retry(attempts = 2, backoff = fixed(1ms), jitter = none) {
            race {
                n1: deadline(5ms) {
                    attempt(takes = 2ms..=3ms)
                },
                n2: retry(attempts = 3, backoff = exponential(2ms, factor = 2, max = 4ms), jitter = spread(0.5)) {
                    attempt(takes = 4ms)
                },
            }
        }
    }
    P115 [n1 n2] {
        retry(attempts = 2, backoff = fixed(3ms), jitter = none) {
            race {
                n1: retry(attempts = 3, backoff = fixed(1ms), jitter = none, budget = K) {
                    attempt(1ms)
                },
                n2: deadline(12ms) {
                    attempt(1ms)
                },
            }
        }
    }
    P116 [n1 n2] {
        hedge(after = 1ms, copies = 2) {
            series {
                n1: timeout(7ms) {
                    attempt(takes = 2ms..=2ms)
                },
                n2: retry(attempts = 2, backoff = linear(1ms), jitter = none, when = Oops::again, timeouts = stop) {
                    attempt(takes = 3ms)
                },
            }
        }
    }
    P117 [n1 n2] {
        hedge(after = 3ms, copies = 2) {
            parallel {
                n1: deadline(3ms) {
                    attempt(takes = 3ms)
                },
                n2: retry(attempts = 3, backoff = fixed(3ms), jitter = none, budget = K) {
                    attempt(1ms)
                },
            }
        }
    }
    P118 [n1 n2] {
        hedge(after = 2ms, copies = 2) {
            fallback {
                n1: hedge(after = 1ms, copies = 2) {
                    attempt(5ms)
                },
                n2: timeout(7ms) {
                    attempt(5ms)
                },
            }
        }
    }
    P119 [n1 n2] {
        hedge(after = 2ms, copies = 2) {
            fallback {
                n1: retry(attempts = 2, backoff = fixed(1ms), jitter = none) {
                    attempt(takes = 2ms..=3ms)
                },
                n2: retry(attempts = 3, backoff = fixed(1ms), jitter = none, budget = K) {
                    attempt(takes = 2ms..=3ms)
                },
            }
        }
    }
    P120 [n1 n2] {
        hedge(after = 1ms, copies = 2) {
            race {
                n1: hedge(after = 1ms, copies = 3, budget = K) {
                    attempt(2ms)
                },
                n2: timeout(9ms) {
                    attempt(takes = 2ms)
                },
            }
        }
    }
    P121 [n1 n2] {
        allowance(K = 2) {
            series {
                n1: deadline(5ms) {
                    attempt(1ms)
                },
                n2: deadline(10ms) {
                    attempt(2ms)
                },
            }
        }
    }
    P122 [n1 n2] {
        allowance(K = 3) {
            parallel {
                n1: timeout(4ms) {
                    attempt(3ms)
                },
                n2: retry(attempts = 2, backoff = fixed(3ms), jitter = none) {
                    attempt(3ms)
                },
            }
        }
    }
    P123 [n1 n2] {
        allowance(K = 3) {
            parallel {
                n1: retry(attempts = 3, backoff = fixed(0s), jitter = none, budget = K) {
                    attempt(takes = 1ms..=2ms)
                },
                n2: hedge(after = 1ms, copies = 2) {
                    attempt(2ms)
                },
            }
        }
    }
    P124 [n1 n2] {
        allowance(K = 1) {
            fallback {
                n1: deadline(8ms) {
                    attempt(1ms)
                },
                n2: retry(attempts = 2, backoff = fixed(1ms), jitter = none) {
                    attempt(takes = 3ms)
                },
            }
        }
    }
    P125 [n1 n2] {
        allowance(K = 2) {
            race {
                n1: retry(attempts = 2, backoff = fixed(0s), jitter = none) {
                    attempt(1ms)
                },
                n2: retry(attempts = 3, backoff = exponential(2ms, factor = 2, max = 4ms), jitter = full) {
                    attempt(1ms)
                },
            }
        }
    }
    P126 [n1 n2] {
        allowance(K = 2) {
            race {
                n1: hedge(after = 2ms, copies = 2) {
                    attempt(takes = 1ms..=3ms)
                },
                n2: hedge(after = 2ms, copies = 3, budget = K) {
                    attempt(5ms)
                },
            }
        }
    }
    P127 [n1 n2] {
        deadline(12ms) {
            series {
                n1: retry(attempts = 3, backoff = exponential(2ms, factor = 2, max = 2ms), jitter = equal) {
                    attempt(5ms)
                },
                n2: retry(attempts = 3, backoff = exponential(2ms, factor = 2, max = 2ms), jitter = equal) {
                    attempt(takes = 1ms..=3ms)
                },
            }
        }
    }
    P128 [n1 n2] {
        deadline(5ms) {
            series {
                n1: hedge(after = 2ms, copies = 3, budget = K) {
                    attempt(takes = 1ms..=2ms)
                },
                n2: hedge(after = 2ms, copies = 3, budget = K) {
                    attempt(takes = 1ms..=2ms)
                },
            }
        }
    }
    P129 [n1 n2] {
        deadline(5ms) {
            parallel {
                n1: retry(attempts = 2, backoff = linear(1ms), jitter = none, when = Oops::again, timeouts = stop) {
                    attempt(5ms)
                },
                n2: retry(attempts = 2, backoff = linear(1ms), jitter = none, when = Oops::again, timeouts = stop) {
                    attempt(5ms)
                },
            }
        }
    }
    P130 [n1 n2] {
        deadline(12ms) {
            parallel {
                n1: deadline(12ms) {
                    attempt(takes = 4ms)
                },
                n2: deadline(5ms) {
                    attempt(3ms)
                },
            }
        }
    }
    P131 [n1 n2] {
        deadline(12ms) {
            fallback {
                n1: retry(attempts = 3, backoff = fixed(1ms), jitter = none, budget = K) {
                    attempt(1ms)
                },
                n2: retry(attempts = 2, backoff = linear(1ms), jitter = none, timeouts = stop) {
                    attempt(takes = 3ms)
                },
            }
        }
    }
    P132 [n1 n2] {
        deadline(5ms) {
            race {
                n1: timeout(2ms) {
                    attempt(takes = 1ms..=3ms)
                },
                n2: timeout(2ms) {
                    attempt(3ms)
                },
            }
        }
    }
    P133 [n1 n2 n3] {
        timeout(3ms) {
            allowance(K = 1) {
                series {
                    n1: attempt(1ms),
                    n2: attempt(takes = 1ms..=3ms),
                    n3: attempt(takes = 2ms),
                }
            }
        }
    }
    P134 [n3 n4 n2] {
        allowance(K = 1) {
            parallel {
                n1: parallel {
                    n3: attempt(3ms),
                    n4: attempt(1ms, takes = 2ms..),
                },
                n2: retry(attempts = 4, backoff = exponential(2ms, factor = 2, max = 7ms), jitter = full) {
                    attempt(7ms)
                },
            }
        }
    }
    P135 [n1 n2] {
        retry(attempts = 2, backoff = fixed(3ms), jitter = full) {
            race {
                n1: retry(attempts = 4, backoff = schedule(2ms, 0s, 5ms, ..), jitter = full) {
                    attempt(5ms)
                },
                n2: deadline(58ms) {
                    attempt(takes = 4ms..=6ms)
                },
            }
        }
    }
    P136 [n1 n2 n3] {
        timeout(11ms) {
            fallback {
                n1: hedge(after = 6ms, copies = 3) {
                    attempt(1ms, takes = 1ms..)
                },
                n2: attempt(takes = 2ms..=9ms),
                n3: attempt(2ms, takes = 3ms..=5ms),
            }
        }
    }
    P137 [n1 n2] {
        parallel {
            n1: retry(attempts = 4, backoff = linear(3ms), jitter = equal) {
                attempt(takes = 2ms..=6ms)
            },
            n2: hedge(after = 3ms, copies = 2) {
                hedge(after = 6ms, copies = 3, budget = K) {
                    attempt(6ms)
                }
            },
        }
    }
    P138 [n1 n2] {
        hedge(after = 1ms, copies = 2) {
            race {
                n1: hedge(after = 3ms, copies = 2, budget = K) {
                    attempt(6ms, takes = 9ms)
                },
                n2: hedge(after = 3ms, copies = 2, budget = J) {
                    attempt(2ms)
                },
            }
        }
    }
    P139 [n1 n2 n4 n5 n6] {
        retry(attempts = 4, backoff = decorrelated(1ms), budget = K, timeouts = stop) {
            series {
                n1: retry(attempts = 2, backoff = decorrelated(1ms, max = 5ms), budget = J) {
                    attempt(2ms)
                },
                n2: deadline(14ms) {
                    attempt(takes = 1ms..=9ms)
                },
                n3: race {
                    n4: attempt(7ms),
                    n5: attempt(9ms),
                    n6: attempt(takes = 2ms..=8ms),
                },
            }
        }
    }
    P140 [n1 n2] {
        deadline(27ms) {
            fallback {
                n1: hedge(after = 1ms, copies = 2, budget = K) {
                    attempt(6ms, takes = 2ms..)
                },
                n2: hedge(after = 6ms, copies = 3) {
                    attempt(9ms)
                },
            }
        }
    }
    P141 [n1 n2] {
        allowance(K = 1) {
            series {
                n1: deadline(21ms) {
                    attempt(4ms)
                },
                n2: hedge(after = 3ms, copies = 3, budget = K) {
                    attempt(4ms, takes = 2ms..=7ms)
                },
            }
        }
    }
    P142 [n1 n2] {
        allowance(K = 1) {
            series {
                n1: hedge(after = 2ms, copies = 2) {
                    attempt(7ms)
                },
                n2: deadline(28ms) {
                    attempt(9ms)
                },
            }
        }
    }
    P143 [n4 n5 n2 n3] {
        fallback {
            n1: fallback {
                n4: attempt(4ms),
                n5: hedge(after = 2ms, copies = 3, budget = J) {
                    attempt(4ms)
                },
            },
            n2: deadline(44ms) {
                attempt(1ms, takes = 2ms..)
            },
            n3: attempt(1ms),
        }
    }
    P144 [n1 n4 n5 n6 n3] {
        retry(attempts = 1, backoff = fixed(3ms), jitter = equal, when = Oops::again, timeouts = stop) {
            parallel {
                n1: deadline(16ms) {
                    attempt(1ms)
                },
                n2: fallback {
                    n4: attempt(8ms, takes = 1ms),
                    n5: attempt(takes = 2ms..=2ms),
                    n6: attempt(2ms),
                },
                n3: attempt(1ms, takes = 2ms..=8ms),
            }
        }
    }
    P145 [n1 n2 n4 n5 n6] {
        fallback {
            n1: timeout(39ms) {
                hedge(after = 1ms, copies = 3, budget = J) {
                    attempt(takes = 9ms)
                }
            },
            n2: deadline(23ms) {
                attempt(5ms, takes = 3ms..=7ms)
            },
            n3: fallback {
                n4: retry(attempts = 1, backoff = linear(4ms, max = 11ms), jitter = equal, budget = J) {
                    attempt(2ms, takes = 5ms)
                },
                n5: attempt(2ms, takes = 3ms..=8ms),
                n6: attempt(6ms),
            },
        }
    }
    P146 [n3 n4 n5 n2] {
        series {
            n1: fallback {
                n3: hedge(after = 2ms, copies = 2) {
                    attempt(7ms, takes = 1ms..)
                },
                n4: allowance(K = 1) {
                    attempt(9ms)
                },
                n5: retry(attempts = 1, backoff = none) {
                    attempt(8ms, takes = 1ms..=3ms)
                },
            },
            n2: deadline(47ms) {
                hedge(after = 2ms, copies = 3) {
                    attempt(9ms)
                }
            },
        }
    }
    P147 [n1 n2 n3] {
        series {
            n1: deadline(33ms) {
                timeout(14ms) {
                    attempt(8ms, takes = 1ms..=8ms)
                }
            },
            n2: allowance(K = 1) {
                hedge(after = 5ms, copies = 3) {
                    attempt(9ms)
                }
            },
            n3: retry(attempts = 4, backoff = decorrelated(1ms)) {
                timeout(28ms) {
                    attempt(takes = 4ms)
                }
            },
        }
    }
    P148 [n1 n4 n5 n6 n3] {
        series {
            n1: attempt(takes = 2ms..=7ms),
            n2: fallback {
                n4: allowance(K = 1) {
                    attempt(6ms)
                },
                n5: deadline(22ms) {
                    attempt(8ms)
                },
                n6: allowance(K = 3) {
                    attempt(5ms)
                },
            },
            n3: hedge(after = 6ms, copies = 2, budget = J) {
                hedge(after = 3ms, copies = 2) {
                    attempt(9ms, takes = 1ms..)
                }
            },
        }
    }
    P149 [n4 n5 n6 n7 n8 n3] {
        hedge(after = 5ms, copies = 3) {
            series {
                n1: series {
                    n4: attempt(9ms, takes = 0s..),
                    n5: attempt(1ms),
                    n6: attempt(2ms),
                },
                n2: parallel {
                    n7: attempt(5ms, takes = 9ms),
                    n8: attempt(1ms),
                },
                n3: deadline(41ms) {
                    attempt(8ms, takes = 4ms..)
                },
            }
        }
    }
    P150 [n1 n3 n4 n5] {
        timeout(5ms) {
            series {
                n1: allowance(K = 6) {
                    attempt(2ms, takes = 4ms..=6ms)
                },
                n2: race {
                    n3: attempt(1ms),
                    n4: attempt(1ms, takes = 4ms..=6ms),
                    n5: attempt(4ms, takes = 7ms),
                },
            }
        }
    }
    P151 [n3 n4 n2] {
        retry(attempts = ..=2, backoff = decorrelated(4ms, max = 9ms), timeouts = stop) {
            parallel {
                n1: parallel {
                    n3: attempt(5ms),
                    n4: attempt(3ms),
                },
                n2: allowance(K = 5) {
                    attempt(2ms)
                },
            }
        }
    }
    P152 [n1 n2 n3] {
        hedge(after = 5ms, copies = 2, budget = K) {
            race {
                n1: retry(attempts = 1, backoff = none, retry_after = Oops::hint, retry_after_max = 3ms) {
                    attempt(takes = 4ms..=8ms)
                },
                n2: allowance(K = 4) {
                    attempt(4ms, takes = 3ms..)
                },
                n3: timeout(28ms) {
                    attempt(7ms, takes = 0s..)
                },
            }
        }
    }
    P153 [n1 n2 n3] {
        parallel {
            n1: retry(attempts = 3, backoff = fixed(0s), jitter = none) {
                retry(attempts = 1, backoff = none) {
                    attempt(2ms, takes = 3ms..)
                }
            },
            n2: attempt(6ms, takes = 2ms..),
            n3: retry(attempts = 2, backoff = fixed(2ms), jitter = none, when = Oops::again) {
                attempt(takes = 4ms..=8ms)
            },
        }
    }
    P154 [n3 n4 n5 n6 n7] {
        timeout(8ms) {
            parallel {
                n1: race {
                    n3: attempt(4ms, takes = 1ms..=4ms),
                    n4: attempt(7ms, takes = 1ms..=8ms),
                    n5: attempt(7ms),
                },
                n2: series {
                    n6: attempt(takes = 6ms),
                    n7: attempt(9ms),
                },
            }
        }
    }
    P155 [n3 n4 n5 n2] {
        parallel {
            n1: hedge(after = 2ms, copies = 2, budget = K) {
                fallback {
                    n3: attempt(4ms),
                    n4: attempt(6ms),
                    n5: attempt(3ms, takes = 2ms..),
                }
            },
            n2: retry(attempts = 1, backoff = exponential(0s, factor = 2, max = 0s), jitter = spread(0.3), retry_after = Oops::hint, retry_after_max = 3ms) {
                retry(attempts = 3, backoff = decorrelated(3ms), budget = J) {
                    attempt(6ms)
                }
            },
        }
    }
    P156 [n1 n2 n3] {
        hedge(after = 5ms, copies = 2) {
            retry(attempts = 1, backoff = linear(0s), jitter = spread(0.3), timeouts = stop, retry_after = Oops::hint, retry_after_max = 5ms) {
                series {
                    n1: attempt(takes = 4ms..=9ms),
                    n2: attempt(takes = 3ms..=5ms),
                    n3: attempt(takes = 1ms..=8ms),
                }
            }
        }
    }
    P157 [n1 n2 n3] {
        retry(attempts = ..=1, backoff = none) {
            hedge(after = 4ms, copies = 2) {
                series {
                    n1: attempt(5ms),
                    n2: attempt(6ms),
                    n3: attempt(6ms, takes = 9ms),
                }
            }
        }
    }
    P158 [n1 n2] {
        race {
            n1: deadline(41ms) {
                allowance(K = 5) {
                    attempt(takes = 3ms)
                }
            },
            n2: deadline(17ms) {
                retry(attempts = 1, backoff = schedule(2ms, 0s, 5ms, ..), jitter = none, budget = K) {
                    attempt(3ms, takes = 1ms..)
                }
            },
        }
    }
    P159 [n1 n2] {
        retry(attempts = 4, backoff = fixed(0s), jitter = none, retry_after = Oops::hint, retry_after_max = 8ms) {
            series {
                n1: retry(attempts = 4, backoff = fixed(3ms), jitter = full, budget = J) {
                    attempt(3ms, takes = 4ms..=4ms)
                },
                n2: retry(attempts = 1, backoff = linear(0s, max = 9ms), jitter = spread(0.3), budget = K, timeouts = stop) {
                    attempt(5ms, takes = 1ms..=5ms)
                },
            }
        }
    }
    P160 [n4 n5 n6 n2 n3] {
        retry(attempts = ..=2, backoff = decorrelated(0s), when = Oops::again) {
            series {
                n1: series {
                    n4: attempt(5ms),
                    n5: attempt(8ms, takes = 4ms..=9ms),
                    n6: attempt(6ms),
                },
                n2: allowance(K = 1) {
                    attempt(6ms, takes = 2ms..=9ms)
                },
                n3: hedge(after = 5ms, copies = 2) {
                    attempt(6ms)
                },
            }
        }
    }
    P161 [n1 n2 n3] {
        timeout(24ms) {
            allowance(K = 3) {
                parallel {
                    n1: attempt(9ms, takes = 4ms..),
                    n2: attempt(1ms, takes = 3ms..=9ms),
                    n3: attempt(takes = 5ms),
                }
            }
        }
    }
    P162 [n1 n2 n3] {
        deadline(11ms) {
            timeout(5ms) {
                race {
                    n1: attempt(6ms),
                    n2: attempt(takes = 3ms..=8ms),
                    n3: attempt(1ms, takes = 3ms..),
                }
            }
        }
    }
    P163c0 [n1 n2] {
        deadline(5ms) {
            series {
                n1: attempt(1ms),
                n2: attempt(2ms),
            }
        }
    }
    P163 [] {
        call(P163c0)
    }
    P164c0 [n1 n2] {
        deadline(5ms) {
            series {
                n1: attempt(1ms),
                n2: attempt(2ms),
            }
        }
    }
    P164 [] {
        timeout(2ms) {
            timeout(2ms) {
                call(P164c0)
            }
        }
    }
    P165c0 [] {
        deadline(5ms) {
            attempt(takes = 1ms..=3ms)
        }
    }
    P165 [] {
        deadline(8ms) {
            deadline(8ms) {
                call(P165c0)
            }
        }
    }
    P166c0 [n1 n2] {
        series {
            n1: attempt(1ms),
            n2: attempt(2ms),
        }
    }
    P166 [] {
        retry(attempts = 2, backoff = fixed(0s), jitter = none) {
            retry(attempts = 2, backoff = fixed(1ms), jitter = none) {
                call(P166c0)
            }
        }
    }
    P167c0 [] {
        attempt(takes = 1ms..=3ms)
    }
    P167 [] {
        retry(attempts = 3, backoff = exponential(2ms, factor = 2, max = 4ms), jitter = full) {
            retry(attempts = 3, backoff = exponential(2ms, factor = 2, max = 4ms), jitter = spread(0.5)) {
                call(P167c0)
            }
        }
    }
    P168c0 [] {
        deadline(5ms) {
            retry(attempts = 2, backoff = fixed(1ms), jitter = none) {
                attempt(2ms)
            }
        }
    }
    P168 [] {
        retry(attempts = 2, backoff = linear(1ms), jitter = none) {
            retry(attempts = 2, backoff = linear(1ms), jitter = none, when = Oops::again) {
                call(P168c0)
            }
        }
    }
    P169c0 [n1 n2] {
        deadline(5ms) {
            series {
                n1: attempt(1ms),
                n2: attempt(2ms),
            }
        }
    }
    P169 [] {
        retry(attempts = 3, backoff = fixed(0s), jitter = none, budget = K) {
            retry(attempts = 3, backoff = fixed(3ms), jitter = none, budget = K) {
                call(P169c0)
            }
        }
    }
    P170c0 [n1 n2] {
        deadline(5ms) {
            series {
                n1: attempt(1ms),
                n2: attempt(2ms),
            }
        }
    }
    P170 [] {
        retry(attempts = 2, backoff = decorrelated(1ms, max = 2ms), retry_after = Oops::hint, retry_after_max = 3ms) {
            retry(attempts = 2, backoff = decorrelated(1ms, max = 2ms), retry_after = Oops::hint, retry_after_max = 3ms) {
                call(P170c0)
            }
        }
    }
    P171c0 [] {
        deadline(5ms) {
            retry(attempts = 2, backoff = fixed(1ms), jitter = none) {
                attempt(2ms)
            }
        }
    }
    P171 [] {
        hedge(after = 1ms, copies = 2) {
            hedge(after = 1ms, copies = 2) {
                call(P171c0)
            }
        }
    }
    P172c0 [n1 n2] {
        series {
            n1: attempt(1ms),
            n2: attempt(2ms),
        }
    }
    P172 [] {
        hedge(after = 1ms, copies = 2, budget = J) {
            hedge(after = 2ms, copies = 2, budget = J) {
                call(P172c0)
            }
        }
    }
    P173c0 [] {
        attempt(takes = 1ms..=3ms)
    }
    P173 [] {
        hedge(after = 2ms, copies = 3, budget = K) {
            hedge(after = 2ms, copies = 3, budget = K) {
                call(P173c0)
            }
        }
    }
    P174c0 [] {
        deadline(5ms) {
            retry(attempts = 2, backoff = fixed(1ms), jitter = none) {
                attempt(2ms)
            }
        }
    }
    P174 [] {
        allowance(K = 1) {
            allowance(K = 2) {
                call(P174c0)
            }
        }
    }
    P175c0 [n1 n2] {
        deadline(5ms) {
            series {
                n1: attempt(1ms),
                n2: attempt(2ms),
            }
        }
    }
    P175 [] {
        deadline(12ms) {
            deadline(5ms) {
                call(P175c0)
            }
        }
    }
    P176c0 [] {
        attempt(takes = 1ms..=3ms)
    }
    P176 [n3 n4 n2] {
        series {
            n1: series {
                n3: call(P176c0),
                n4: attempt(2ms),
            },
            n2: attempt(5ms),
        }
    }
    P177c0 [] {
        retry(attempts = 2, backoff = fixed(1ms), jitter = none) {
            attempt(2ms)
        }
    }
    P177 [n1 n3 n4] {
        series {
            n1: attempt(1ms),
            n2: series {
                n3: attempt(1ms),
                n4: call(P177c0),
            },
        }
    }
    P178c0 [n1 n2] {
        deadline(5ms) {
            series {
                n1: attempt(1ms),
                n2: attempt(2ms),
            }
        }
    }
    P178 [n3 n4 n2] {
        parallel {
            n1: parallel {
                n3: call(P178c0),
                n4: attempt(takes = 3ms..=4ms),
            },
            n2: attempt(2ms),
        }
    }
    P179c0 [] {
        deadline(5ms) {
            retry(attempts = 2, backoff = fixed(1ms), jitter = none) {
                attempt(2ms)
            }
        }
    }
    P179 [n1 n3 n4] {
        parallel {
            n1: attempt(5ms),
            n2: parallel {
                n3: attempt(takes = 3ms..=4ms),
                n4: call(P179c0),
            },
        }
    }
    P180c0 [] {
        attempt(takes = 1ms..=3ms)
    }
    P180 [n1 n3 n4] {
        fallback {
            n1: attempt(2ms),
            n2: fallback {
                n3: attempt(1ms),
                n4: call(P180c0),
            },
        }
    }
    P181c0 [] {
        deadline(5ms) {
            retry(attempts = 2, backoff = fixed(1ms), jitter = none) {
                attempt(2ms)
            }
        }
    }
    P181 [n3 n4 n2] {
        race {
            n1: race {
                n3: call(P181c0),
                n4: attempt(2ms),
            },
            n2: attempt(5ms),
        }
    }
    P182c0 [] {
        deadline(5ms) {
            retry(attempts = 2, backoff = fixed(1ms), jitter = none) {
                attempt(2ms)
            }
        }
    }
    P182 [] {
        timeout(4ms) {
            retry(attempts = 2, backoff = fixed(3ms), jitter = none) {
                deadline(6ms) {
                    call(P182c0)
                }
            }
        }
    }
    P183c0 [] {
        attempt(takes = 1ms..=3ms)
    }
    P183 [] {
        timeout(5ms) {
            retry(attempts = 2, backoff = linear(1ms), jitter = none, when = Oops::again, timeouts = stop) {
                retry(attempts = 3, backoff = exponential(2ms, factor = 2, max = 4ms), jitter = spread(0.5)) {
                    call(P183c0)
                }
            }
        }
    }
    P184c0 [n1 n2] {
        deadline(5ms) {
            series {
                n1: attempt(1ms),
                n2: attempt(2ms),
            }
        }
    }
    P184 [] {
        timeout(9ms) {
            retry(attempts = unlimited, backoff = fixed(2ms), jitter = none) {
                retry(attempts = 3, backoff = fixed(3ms), jitter = none, budget = K) {
                    call(P184c0)
                }
            }
        }
    }
    P185c0 [] {
        deadline(5ms) {
            retry(attempts = 2, backoff = fixed(1ms), jitter = none) {
                attempt(2ms)
            }
        }
    }
    P185 [] {
        timeout(7ms) {
            hedge(after = 2ms, copies = 2, budget = J) {
                hedge(after = 1ms, copies = 2) {
                    call(P185c0)
                }
            }
        }
    }
    P186c0 [] {
        attempt(takes = 1ms..=3ms)
    }
    P186 [] {
        timeout(4ms) {
            allowance(K = 2) {
                hedge(after = 2ms, copies = 3, budget = K) {
                    call(P186c0)
                }
            }
        }
    }
    P187c0 [n1 n2] {
        deadline(5ms) {
            series {
                n1: attempt(1ms),
                n2: attempt(2ms),
            }
        }
    }
    P187 [n1 n2] {
        timeout(5ms) {
            series {
                n1: deadline(5ms) {
                    call(P187c0)
                },
                n2: attempt(takes = 3ms..=4ms),
            }
        }
    }
    P188c0 [n1 n2] {
        series {
            n1: attempt(1ms),
            n2: attempt(2ms),
        }
    }
    P188 [n3 n4 n2] {
        timeout(9ms) {
            parallel {
                n1: series {
                    n3: attempt(takes = 4ms..=4ms),
                    n4: call(P188c0),
                },
                n2: attempt(takes = 4ms..=4ms),
            }
        }
    }
    P189c0 [] {
        deadline(5ms) {
            attempt(takes = 1ms..=3ms)
        }
    }
    P189 [n3 n4 n2] {
        timeout(4ms) {
            race {
                n1: fallback {
                    n3: attempt(3ms),
                    n4: call(P189c0),
                },
                n2: attempt(takes = 3ms..=4ms),
            }
        }
    }
    P190c0 [n1 n2] {
        deadline(5ms) {
            series {
                n1: attempt(1ms),
                n2: attempt(2ms),
            }
        }
    }
    P190 [] {
        deadline(10ms) {
            retry(attempts = 3, backoff = exponential(1ms, factor = 2, max = 2ms), jitter = full) {
                deadline(4ms) {
                    call(P190c0)
                }
            }
        }
    }
    P191c0 [] {
        retry(attempts = 2, backoff = fixed(1ms), jitter = none) {
            attempt(2ms)
        }
    }
    P191 [] {
        deadline(8ms) {
            retry(attempts = 3, backoff = fixed(1ms), jitter = none, budget = K) {
                retry(attempts = 3, backoff = exponential(2ms, factor = 2, max = 2ms), jitter = equal) {
                    call(P191c0)
                }
            }
        }
    }
    P192c0 [n1 n2] {
        deadline(5ms) {
            series {
                n1: attempt(1ms),
                n2: attempt(2ms),
            }
        }
    }
    P192 [] {
        deadline(4ms) {
            hedge(after = 2ms, copies = 3, budget = K) {
                hedge(after = 3ms, copies = 2) {
                    call(P192c0)
                }
            }
        }
    }
}

placed! {
    watched:
    "struct U0 {
        retry(attempts = 3, backoff = fixed(1ms), jitter = none, budget = K) {
            retry(attempts = 2, backoff = schedule(2ms), jitter = none, until = there) {
                attempt(takes = 1ms..=4ms)
            }
        }
    }" {
        retry(attempts = 3, backoff = fixed(1ms), jitter = none, budget = K) {
            retry(attempts = 2, backoff = schedule(2ms), jitter = none, until = there) {
                attempt(takes = 1ms..=4ms) async |cx| watched.only(cx).await
            }
        }
    }
    "struct U1 {
        retry(attempts = 2, backoff = schedule(2ms), jitter = none, until = there) {
            retry(attempts = 2, backoff = linear(1ms), jitter = none, when = Oops::again, timeouts = stop) {
                attempt(takes = 3ms..=4ms)
            }
        }
    }" {
        retry(attempts = 2, backoff = schedule(2ms), jitter = none, until = there) {
            retry(attempts = 2, backoff = linear(1ms), jitter = none, when = Oops::again, timeouts = stop) {
                attempt(takes = 3ms..=4ms) async |cx| watched.only(cx).await
            }
        }
    }
    "struct U2 {
        retry(attempts = 2, backoff = schedule(2ms), jitter = none, until = there) {
            hedge(after = 1ms, copies = 2, budget = J) {
                attempt(2ms, takes = 1ms..=2ms)
            }
        }
    }" {
        retry(attempts = 2, backoff = schedule(2ms), jitter = none, until = there) {
            hedge(after = 1ms, copies = 2, budget = J) {
                attempt(2ms, takes = 1ms..=2ms) async |cx| watched.only(cx).await
            }
        }
    }
    "struct U3 {
        series {
            n1: attempt(5ms),
            n2: retry(attempts = 2, backoff = schedule(2ms), jitter = none, until = there) {
                attempt(5ms)
            },
        }
    }" {
        series {
            n1: attempt(5ms) async |cx| watched.call("n1", cx).await,
            n2: retry(attempts = 2, backoff = schedule(2ms), jitter = none, until = there) {
                attempt(5ms) async |cx| watched.call("n2", cx).await
            },
        }
    }
    "struct U4 {
        race {
            n1: attempt(5ms),
            n2: retry(attempts = 2, backoff = schedule(2ms), jitter = none, until = there) {
                attempt(takes = 2ms..=4ms)
            },
        }
    }" {
        race {
            n1: attempt(5ms) async |cx| watched.call("n1", cx).await,
            n2: retry(attempts = 2, backoff = schedule(2ms), jitter = none, until = there) {
                attempt(takes = 2ms..=4ms) async |cx| watched.call("n2", cx).await
            },
        }
    }
    "struct U5 {
        timeout(7ms) {
            series {
                n1: retry(attempts = 2, backoff = schedule(2ms), jitter = none, until = there) {
                    attempt(2ms, takes = 1ms..=2ms)
                },
                n2: attempt(1ms),
            }
        }
    }" {
        timeout(7ms) {
            series {
                n1: retry(attempts = 2, backoff = schedule(2ms), jitter = none, until = there) {
                    attempt(2ms, takes = 1ms..=2ms) async |cx| watched.call("n1", cx).await
                },
                n2: attempt(1ms) async |cx| watched.call("n2", cx).await,
            }
        }
    }
    "struct U6 {
        deadline(10ms) {
            retry(attempts = 2, backoff = schedule(2ms), jitter = none, until = there) {
                hedge(after = 2ms, copies = 2, budget = J) {
                    attempt(2ms)
                }
            }
        }
    }" {
        deadline(10ms) {
            retry(attempts = 2, backoff = schedule(2ms), jitter = none, until = there) {
                hedge(after = 2ms, copies = 2, budget = J) {
                    attempt(2ms) async |cx| watched.only(cx).await
                }
            }
        }
    }
    "struct U7 {
        deadline(3ms) {
            retry(attempts = 2, backoff = decorrelated(1ms, max = 2ms), retry_after = Oops::hint, retry_after_max = 3ms) {
                retry(attempts = 2, backoff = schedule(2ms), jitter = none, until = there) {
                    attempt(3ms, takes = 1ms..)
                }
            }
        }
    }" {
        deadline(3ms) {
            retry(attempts = 2, backoff = decorrelated(1ms, max = 2ms), retry_after = Oops::hint, retry_after_max = 3ms) {
                retry(attempts = 2, backoff = schedule(2ms), jitter = none, until = there) {
                    attempt(3ms, takes = 1ms..) async |cx| watched.only(cx).await
                }
            }
        }
    }
    "struct U8 {
        retry(attempts = 2, backoff = fixed(0s), jitter = none) {
            retry(attempts = 2, backoff = schedule(2ms), jitter = none, until = there) {
                retry(attempts = 2, backoff = linear(1ms), jitter = none, when = Oops::again, timeouts = stop) {
                    attempt(5ms)
                }
            }
        }
    }" {
        retry(attempts = 2, backoff = fixed(0s), jitter = none) {
            retry(attempts = 2, backoff = schedule(2ms), jitter = none, until = there) {
                retry(attempts = 2, backoff = linear(1ms), jitter = none, when = Oops::again, timeouts = stop) {
                    attempt(5ms) async |cx| watched.only(cx).await
                }
            }
        }
    }
    "struct U9 {
        retry(attempts = 3, backoff = exponential(2ms, factor = 2, max = 2ms), jitter = equal) {
            retry(attempts = 3, backoff = fixed(3ms), jitter = none, budget = K) {
                retry(attempts = 2, backoff = schedule(2ms), jitter = none, until = there) {
                    attempt(takes = 2ms..=2ms)
                }
            }
        }
    }" {
        retry(attempts = 3, backoff = exponential(2ms, factor = 2, max = 2ms), jitter = equal) {
            retry(attempts = 3, backoff = fixed(3ms), jitter = none, budget = K) {
                retry(attempts = 2, backoff = schedule(2ms), jitter = none, until = there) {
                    attempt(takes = 2ms..=2ms) async |cx| watched.only(cx).await
                }
            }
        }
    }
    "struct U10 {
        retry(attempts = 3, backoff = exponential(2ms, factor = 2, max = 2ms), jitter = equal) {
            retry(attempts = 2, backoff = schedule(2ms), jitter = none, until = there) {
                hedge(after = 1ms, copies = 2, budget = J) {
                    attempt(takes = 4ms..=4ms)
                }
            }
        }
    }" {
        retry(attempts = 3, backoff = exponential(2ms, factor = 2, max = 2ms), jitter = equal) {
            retry(attempts = 2, backoff = schedule(2ms), jitter = none, until = there) {
                hedge(after = 1ms, copies = 2, budget = J) {
                    attempt(takes = 4ms..=4ms) async |cx| watched.only(cx).await
                }
            }
        }
    }
    "struct U11 {
        retry(attempts = 3, backoff = exponential(2ms, factor = 2, max = 2ms), jitter = equal) {
            race {
                n1: attempt(takes = 2ms..=4ms),
                n2: retry(attempts = 2, backoff = schedule(2ms), jitter = none, until = there) {
                    attempt(takes = 2ms)
                },
            }
        }
    }" {
        retry(attempts = 3, backoff = exponential(2ms, factor = 2, max = 2ms), jitter = equal) {
            race {
                n1: attempt(takes = 2ms..=4ms) async |cx| watched.call("n1", cx).await,
                n2: retry(attempts = 2, backoff = schedule(2ms), jitter = none, until = there) {
                    attempt(takes = 2ms) async |cx| watched.call("n2", cx).await
                },
            }
        }
    }
    "struct U12 {
        retry(attempts = 2, backoff = linear(1ms), jitter = none, timeouts = stop) {
            retry(attempts = 2, backoff = schedule(2ms), jitter = none, until = there) {
                retry(attempts = 2, backoff = linear(1ms), jitter = none, timeouts = stop) {
                    attempt(takes = 4ms..=4ms)
                }
            }
        }
    }" {
        retry(attempts = 2, backoff = linear(1ms), jitter = none, timeouts = stop) {
            retry(attempts = 2, backoff = schedule(2ms), jitter = none, until = there) {
                retry(attempts = 2, backoff = linear(1ms), jitter = none, timeouts = stop) {
                    attempt(takes = 4ms..=4ms) async |cx| watched.only(cx).await
                }
            }
        }
    }
    "struct U13 {
        retry(attempts = 2, backoff = linear(1ms), jitter = none, when = Oops::again, timeouts = stop) {
            series {
                n1: attempt(takes = 1ms..=2ms),
                n2: retry(attempts = 2, backoff = schedule(2ms), jitter = none, until = there) {
                    attempt(takes = 1ms..=2ms)
                },
            }
        }
    }" {
        retry(attempts = 2, backoff = linear(1ms), jitter = none, when = Oops::again, timeouts = stop) {
            series {
                n1: attempt(takes = 1ms..=2ms) async |cx| watched.call("n1", cx).await,
                n2: retry(attempts = 2, backoff = schedule(2ms), jitter = none, until = there) {
                    attempt(takes = 1ms..=2ms) async |cx| watched.call("n2", cx).await
                },
            }
        }
    }
    "struct U14 {
        retry(attempts = 3, backoff = fixed(2ms), jitter = none, budget = K) {
            retry(attempts = 3, backoff = fixed(2ms), jitter = none, budget = K) {
                retry(attempts = 2, backoff = schedule(2ms), jitter = none, until = there) {
                    attempt(3ms, takes = 1ms..=4ms)
                }
            }
        }
    }" {
        retry(attempts = 3, backoff = fixed(2ms), jitter = none, budget = K) {
            retry(attempts = 3, backoff = fixed(2ms), jitter = none, budget = K) {
                retry(attempts = 2, backoff = schedule(2ms), jitter = none, until = there) {
                    attempt(3ms, takes = 1ms..=4ms) async |cx| watched.only(cx).await
                }
            }
        }
    }
    "struct U15 {
        series {
            n1: retry(attempts = 3, backoff = decorrelated(1ms, max = 8ms), until = there) {
                hedge(after = 4ms, copies = 3, budget = K) {
                    attempt(7ms, takes = 4ms..=6ms)
                }
            },
            n2: hedge(after = 5ms, copies = 3) {
                retry(attempts = 1, backoff = none) {
                    attempt(9ms, takes = 4ms..)
                }
            },
            n3: hedge(after = 2ms, copies = 3) {
                fallback {
                    n4: attempt(2ms),
                    n5: attempt(3ms, takes = 0s..),
                }
            },
        }
    }" {
        series {
            n1: retry(attempts = 3, backoff = decorrelated(1ms, max = 8ms), until = there) {
                hedge(after = 4ms, copies = 3, budget = K) {
                    attempt(7ms, takes = 4ms..=6ms) async |cx| watched.call("n1", cx).await
                }
            },
            n2: hedge(after = 5ms, copies = 3) {
                retry(attempts = 1, backoff = none) {
                    attempt(9ms, takes = 4ms..) async |cx| watched.call("n2", cx).await
                }
            },
            n3: hedge(after = 2ms, copies = 3) {
                fallback {
                    n4: attempt(2ms) async |cx| watched.call("n4", cx).await,
                    n5: attempt(3ms, takes = 0s..) async |cx| watched.call("n5", cx).await,
                }
            },
        }
    }
    "struct U16 {
        race {
            n1: retry(attempts = 2, backoff = linear(4ms, max = 10ms), jitter = full) {
                retry(attempts = 4, backoff = decorrelated(1ms), budget = K, when = Oops::again, until = there) {
                    attempt(7ms, takes = 0s..)
                }
            },
            n2: hedge(after = 4ms, copies = 3) {
                fallback {
                    n3: attempt(5ms),
                    n4: attempt(5ms, takes = 2ms..),
                }
            },
        }
    }" {
        race {
            n1: retry(attempts = 2, backoff = linear(4ms, max = 10ms), jitter = full) {
                retry(attempts = 4, backoff = decorrelated(1ms), budget = K, when = Oops::again, until = there) {
                    attempt(7ms, takes = 0s..) async |cx| watched.call("n1", cx).await
                }
            },
            n2: hedge(after = 4ms, copies = 3) {
                fallback {
                    n3: attempt(5ms) async |cx| watched.call("n3", cx).await,
                    n4: attempt(5ms, takes = 2ms..) async |cx| watched.call("n4", cx).await,
                }
            },
        }
    }
    "struct U17 {
        race {
            n1: attempt(1ms),
            n2: retry(attempts = ..=3, backoff = none, budget = J, until = there, timeouts = stop) {
                deadline(23ms) {
                    attempt(takes = 2ms..=8ms)
                }
            },
            n3: allowance(K = 5) {
                retry(attempts = 1, backoff = decorrelated(4ms, max = 12ms)) {
                    attempt(takes = 8ms)
                }
            },
        }
    }" {
        race {
            n1: attempt(1ms) async |cx| watched.call("n1", cx).await,
            n2: retry(attempts = ..=3, backoff = none, budget = J, until = there, timeouts = stop) {
                deadline(23ms) {
                    attempt(takes = 2ms..=8ms) async |cx| watched.call("n2", cx).await
                }
            },
            n3: allowance(K = 5) {
                retry(attempts = 1, backoff = decorrelated(4ms, max = 12ms)) {
                    attempt(takes = 8ms) async |cx| watched.call("n3", cx).await
                }
            },
        }
    }
    "struct U18 {
        race {
            n1: fallback {
                n3: deadline(37ms) {
                    attempt(6ms, takes = 2ms..=8ms)
                },
                n4: retry(attempts = ..=3, backoff = none, when = Oops::again, until = there, retry_after = Oops::hint, retry_after_max = 4ms) {
                    attempt(7ms, takes = 3ms..=5ms)
                },
                n5: deadline(25ms) {
                    attempt(7ms, takes = 1ms..=8ms)
                },
            },
            n2: hedge(after = 6ms, copies = 3, budget = K) {
                retry(attempts = 3, backoff = linear(1ms, max = 9ms), jitter = full) {
                    attempt(5ms)
                }
            },
        }
    }" {
        race {
            n1: fallback {
                n3: deadline(37ms) {
                    attempt(6ms, takes = 2ms..=8ms) async |cx| watched.call("n3", cx).await
                },
                n4: retry(attempts = ..=3, backoff = none, when = Oops::again, until = there, retry_after = Oops::hint, retry_after_max = 4ms) {
                    attempt(7ms, takes = 3ms..=5ms) async |cx| watched.call("n4", cx).await
                },
                n5: deadline(25ms) {
                    attempt(7ms, takes = 1ms..=8ms) async |cx| watched.call("n5", cx).await
                },
            },
            n2: hedge(after = 6ms, copies = 3, budget = K) {
                retry(attempts = 3, backoff = linear(1ms, max = 9ms), jitter = full) {
                    attempt(5ms) async |cx| watched.call("n2", cx).await
                }
            },
        }
    }
    "struct U19 {
        retry(attempts = ..=2, backoff = schedule(2ms, 0s, 5ms, ..), jitter = full, budget = J, when = Oops::again) {
            fallback {
                n1: attempt(takes = 4ms..=8ms),
                n2: retry(attempts = 4, backoff = exponential(3ms, factor = 2, max = 4ms), jitter = equal, budget = K, until = there) {
                    attempt(3ms)
                },
                n3: timeout(4ms) {
                    attempt(5ms, takes = 0s..)
                },
            }
        }
    }" {
        retry(attempts = ..=2, backoff = schedule(2ms, 0s, 5ms, ..), jitter = full, budget = J, when = Oops::again) {
            fallback {
                n1: attempt(takes = 4ms..=8ms) async |cx| watched.call("n1", cx).await,
                n2: retry(attempts = 4, backoff = exponential(3ms, factor = 2, max = 4ms), jitter = equal, budget = K, until = there) {
                    attempt(3ms) async |cx| watched.call("n2", cx).await
                },
                n3: timeout(4ms) {
                    attempt(5ms, takes = 0s..) async |cx| watched.call("n3", cx).await
                },
            }
        }
    }
}
