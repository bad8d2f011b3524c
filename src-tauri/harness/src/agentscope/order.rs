//! The orders in which Java's hash tables return their keys, which is the order the model sees. The growth of the
//! tables is simulated: if two keys share a bin, earlier growth decides which comes first.
//!
//! Bins of nine and more keys become trees in Java, which only happens with names made to collide; here they stay
//! lists.

/// How `new ConcurrentHashMap<>(map)` gives back the keys of a `ConcurrentHashMap` they were put into in this order,
/// which is how registries hand out their entries. A key put twice keeps its first place.
pub fn copied_concurrent_hash_map<'a>(keys: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let mut table = Table::new(SMALLEST);
    let mut limit = three_quarters(SMALLEST);
    for key in keys {
        let Some(in_bin) = table.put(key) else { continue };
        if in_bin >= LARGE_BIN && table.bins.len() < SMALLEST_WITH_TREES {
            let wanted = wanted(table.bins.len() * 2);
            while wanted > limit {
                limit = table.transfer();
            }
        }
        while table.count >= limit {
            limit = table.transfer();
        }
    }
    // The copy makes room for all before it takes the first.
    let wanted = wanted(table.count);
    let mut size = wanted.max(SMALLEST);
    while wanted > three_quarters(size) {
        size *= 2;
    }
    table.copied(size)
}

/// How `new HashMap<>(map)` gives back the keys of a `HashMap` they were put into in this order.
pub fn copied_hash_map<'a>(keys: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let mut table = Table::new(SMALLEST);
    for key in keys {
        let Some(in_bin) = table.put(key) else { continue };
        if in_bin >= LARGE_BIN && table.bins.len() < SMALLEST_WITH_TREES {
            table.split();
        }
        if table.count > three_quarters(table.bins.len()) {
            table.split();
        }
    }
    // `(float) size / 0.75f + 1.0f`, up to a power of two.
    let size = (table.count * 4 / 3 + 1).next_power_of_two();
    table.copied(size)
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
    fn new(size: usize) -> Self {
        Self { bins: vec![Vec::new(); size], count: 0 }
    }

    /// How many keys its bin held before; `None` if the key is known.
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

    /// The keys as a table of this size gives them back after it took them from this one.
    fn copied(self, size: usize) -> Vec<&'a str> {
        let mut copy = Self::new(size);
        for (_, key) in self.bins.into_iter().flatten() {
            copy.put(key);
        }
        copy.bins.into_iter().flatten().map(|(_, key)| key).collect()
    }
}

/// `ConcurrentHashMap.tryPresize`: bins for so many keys.
fn wanted(keys: usize) -> usize {
    (keys + keys / 2 + 1).next_power_of_two()
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
        let seen = copied_concurrent_hash_map(keys.iter().map(String::as_str)).join(" ").replace("skill-", "");
        assert_eq!(seen.replace("_custom", ""), "b a c d n m e f i j k g h l");
    }

    /// `Aa` and `BB` have the same hash, and so has every text made of them. Recorded from OpenJDK 17.
    #[test]
    fn keys_that_collide_keep_the_order_that_growth_leaves() {
        let same = ["AaAaAa", "AaAaBB", "AaBBAa", "AaBBBB", "BBAaAa", "BBAaBB", "BBBBAa", "BBBBBB"];
        let keys = || same.into_iter().chain(["x", "b", "Aa", "x"]);
        assert_eq!(
            copied_concurrent_hash_map(keys()).join(" "),
            "Aa BBBBBB BBBBAa BBAaBB BBAaAa AaBBBB AaBBAa AaAaBB AaAaAa b x"
        );
        assert_eq!(copied_hash_map(keys()).join(" "), "AaAaAa AaAaBB AaBBAa AaBBBB BBAaAa BBAaBB BBBBAa BBBBBB Aa b x");
    }

    #[test]
    fn nothing_gives_nothing() {
        assert_eq!(copied_concurrent_hash_map([]), Vec::<&str>::new());
        assert_eq!(copied_hash_map([]), Vec::<&str>::new());
    }
}
