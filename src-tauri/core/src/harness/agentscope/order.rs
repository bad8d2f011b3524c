//! The orders in which Java's hash tables give their keys back, which is the order the model sees. The tables are
//! played as they grow: where two keys share a bin, earlier growth decides which comes first.
//!
//! Bins of nine and more keys, which take names made to collide, become trees in Java; here they stay lists.

/// How `ConcurrentHashMap` gives back keys that were put in this order. A key put twice keeps its first place.
pub fn concurrent_hash_map<'a>(keys: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let mut table = Table::new();
    let mut limit = three_quarters(SMALLEST);
    for key in keys {
        let Some(in_bin) = table.put(key) else { continue };
        if in_bin >= LARGE_BIN && table.bins.len() < SMALLEST_WITH_TREES {
            let wanted = (table.bins.len() * 3 + 1).next_power_of_two();
            while wanted > limit {
                limit = table.transfer();
            }
        }
        while table.count >= limit {
            limit = table.transfer();
        }
    }
    table.keys()
}

/// How `new HashMap<>(map)` gives back the keys of a `HashMap` they were put into in this order.
pub fn copied_hash_map<'a>(keys: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let mut table = Table::new();
    for key in keys {
        let Some(in_bin) = table.put(key) else { continue };
        if in_bin >= LARGE_BIN && table.bins.len() < SMALLEST_WITH_TREES {
            table.split();
        }
        if table.count > three_quarters(table.bins.len()) {
            table.split();
        }
    }
    let count = table.count;
    // `(float) size / 0.75f + 1.0f`, up to a power of two.
    let mut copy = Table { bins: vec![Vec::new(); (count * 4 / 3 + 1).next_power_of_two()], count: 0 };
    for key in table.keys() {
        copy.put(key);
    }
    copy.keys()
}

const SMALLEST: usize = 16;
/// Keys that a bin already holds when one more makes it a tree, or in a small table makes the table grow.
const LARGE_BIN: usize = 8;
const SMALLEST_WITH_TREES: usize = 64;

struct Table<'a> {
    /// A power of two; each bin holds the spread hashes and the keys.
    bins: Vec<Vec<(u32, &'a str)>>,
    count: usize,
}

impl<'a> Table<'a> {
    fn new() -> Self {
        Self { bins: vec![Vec::new(); SMALLEST], count: 0 }
    }

    /// How many keys its bin held before; `None` where the key is known.
    fn put(&mut self, key: &'a str) -> Option<usize> {
        let hash = spread(key);
        let mask = self.bins.len() - 1;
        let bin = &mut self.bins[hash as usize & mask];
        if bin.iter().any(|(known, other)| *known == hash && *other == key) {
            return None;
        }
        bin.push((hash, key));
        self.count += 1;
        Some(bin.len() - 1)
    }

    /// `HashMap.resize`: each bin splits in two, in order.
    fn split(&mut self) {
        let size = self.bins.len();
        self.bins.resize(size * 2, Vec::new());
        for at in 0..size {
            let (low, high) = self.bins[at].iter().partition(|(hash, _)| *hash as usize & size == 0);
            self.bins[at] = low;
            self.bins[at + size] = high;
        }
    }

    /// `ConcurrentHashMap.transfer`: the last keys of a bin that go the same way are moved as they are, those before
    /// them one by one to the front. Gives the number of keys at which the table grows again.
    fn transfer(&mut self) -> usize {
        let size = self.bins.len();
        self.bins.resize(size * 2, Vec::new());
        for at in 0..size {
            let bin = std::mem::take(&mut self.bins[at]);
            let is_high = |(hash, _): &(u32, &str)| *hash as usize & size != 0;
            let Some(last) = bin.last() else { continue };
            let same = bin.iter().rev().take_while(|entry| is_high(entry) == is_high(last)).count();
            let (moved, run) = bin.split_at(bin.len() - same);
            let split = |high: bool| {
                let first = moved.iter().rev().filter(|entry| is_high(entry) == high);
                let then = run.iter().filter(|entry| is_high(entry) == high);
                first.chain(then).copied().collect()
            };
            self.bins[at] = split(false);
            self.bins[at + size] = split(true);
        }
        three_quarters(self.bins.len())
    }

    fn keys(self) -> Vec<&'a str> {
        self.bins.into_iter().flatten().map(|(_, key)| key).collect()
    }
}

fn three_quarters(size: usize) -> usize {
    size - size / 4
}

/// `String.hashCode`, with the upper half mixed into the lower.
fn spread(key: &str) -> u32 {
    let hash = key.encode_utf16().fold(0u32, |hash, unit| hash.wrapping_mul(31).wrapping_add(u32::from(unit)));
    hash ^ (hash >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_that_of_a_java_run() {
        let keys: Vec<String> = ('a'..='n').map(|letter| format!("skill-{letter}_custom")).collect();
        let seen = concurrent_hash_map(keys.iter().map(String::as_str)).join(" ").replace("skill-", "");
        assert_eq!(seen.replace("_custom", ""), "b a c d n m e f i j k g h l");
    }

    /// `Aa` and `BB` have the same hash, and so has every text made of them. Recorded from OpenJDK 17.
    #[test]
    fn keys_that_collide_keep_the_order_that_growth_leaves() {
        let keys = ["AaAa", "BBBB", "AaBB", "BBAa", "x"];
        assert_eq!(concurrent_hash_map(keys), ["x", "AaAa", "BBBB", "AaBB", "BBAa"]);
        assert_eq!(copied_hash_map(["b", "Aa", "BB", "a", "Aa"]), ["a", "Aa", "BB", "b"]);
    }

    #[test]
    fn nothing_gives_nothing() {
        assert_eq!(concurrent_hash_map([]), Vec::<&str>::new());
        assert_eq!(copied_hash_map([]), Vec::<&str>::new());
    }
}
