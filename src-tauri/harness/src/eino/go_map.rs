//! The order in which a Go map gives its entries back: chance, and another one each time. Here a number draws it.

/// Maps of so many entries have one group of places and are walked from a place that is drawn; in larger ones the places
/// themselves hang on a seed of the map.
const GROUP: usize = 8;

/// One of the orders in which a map may give back the entries that are `Some`, by their values. They were put into it in this
/// order.
pub fn order(entries: &[Option<usize>], draw: u64) -> Vec<usize> {
    if entries.len() <= GROUP {
        let first = usize::try_from(mixed(draw) % GROUP as u64).unwrap_or_default();
        let places = (0..GROUP).map(|step| (first + step) % GROUP);
        return places.filter_map(|place| *entries.get(place)?).collect();
    }
    let mut order: Vec<usize> = entries.iter().flatten().copied().collect();
    let mut state = draw;
    for left in (1..order.len()).rev() {
        state = mixed(state);
        let other = usize::try_from(state % (left as u64 + 1)).unwrap_or_default();
        order.swap(left, other);
    }
    order
}

/// SplitMix64.
fn mixed(state: u64) -> u64 {
    let mut mixed = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_small_map_is_walked_from_any_place_on() {
        let entries = [Some(0), None, Some(1), Some(2)];
        let orders: BTreeSet<Vec<usize>> = (0..200).map(|draw| order(&entries, draw)).collect();
        let walks = [vec![0, 1, 2], vec![1, 2, 0], vec![2, 0, 1]];
        assert_eq!(orders, walks.into_iter().collect());
    }

    #[test]
    fn a_larger_one_has_any_order() {
        let entries: Vec<Option<usize>> = [0, 1, 2].into_iter().map(Some).chain([None; 6]).collect();
        let orders: BTreeSet<Vec<usize>> = (0..200).map(|draw| order(&entries, draw)).collect();
        assert_eq!(orders.len(), 6, "each of the orders of three");
        assert_eq!(order(&entries, 7), order(&entries, 7));
        assert_eq!(order(&[], 7), Vec::<usize>::new());
    }
}
