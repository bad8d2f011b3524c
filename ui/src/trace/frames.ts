/** Gathers what arrives in bursts, so that the document changes at most once in a while. */
/** At most one flush in 50 ms: fast enough to read along, slow enough to lay out. */
const INTERVAL = 50;

export class Frames<Item> {
    private items: Item[] = [];
    private timer: ReturnType<typeof setTimeout> | null = null;

    constructor(private readonly flushed: (items: Item[]) => void) {}

    push(item: Item) {
        this.items.push(item);
        this.timer ??= setTimeout(() => this.flush(), INTERVAL);
    }

    /** Passes on what is there, at once. */
    flush() {
        if (this.timer !== null) clearTimeout(this.timer);
        this.timer = null;
        const items = this.items;
        this.items = [];
        if (items.length > 0) this.flushed(items);
    }
}
