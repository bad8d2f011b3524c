/**
 * The visible rows of a long list, and empty space in place of the others. Heights are measured if rows differ; until then they are
 * estimated. The row that has the focus stays, however far it is scrolled away.
 */
import type { Attachment } from "svelte/attachments";

export interface WindowedRow<T> {
    item: T;
    /** Its place in the whole list. */
    at: number;
    /** Pixels of rows left out between this row and the one drawn before it. */
    gap: number;
}

/** An array, or a list that makes its items on demand. */
export interface Items<T> {
    readonly length: number;
    slice: (first: number, end: number) => T[];
}

interface Options<T> {
    items: () => Items<T>;
    /** Unique, and the same over changes of the list. */
    key: (item: T) => string;
    /** The height of a row that was not measured yet, in pixels. */
    guess: number;
    /** Whether all rows have exactly that height: then nothing is added up for each of them. */
    even?: boolean;
}

/** Pixels drawn above and below the visible part. */
const SPARE = 400;
/** Scrolling less than this draws nothing again. */
const STRIDE = 100;
/** The visible height before there is a layout. */
const UNKNOWN = 800;

export class Windowed<T> {
    readonly #options: Options<T>;
    readonly #heights = new Map<string, number>();
    readonly #keys = new WeakMap<Element, string>();
    readonly #attachments = new Map<string, Attachment<HTMLElement>>();
    #measured = $state(0);
    /** Where the visible part starts, from the top of the list, in whole strides. */
    #top = $state(0);
    #seen = $state(UNKNOWN);
    #focused = $state<string | null>(null);
    #scroller: HTMLElement | null = null;
    #list: HTMLElement | null = null;
    #before: HTMLElement | null = null;

    readonly #starts = $derived.by(() => {
        void this.#measured;
        const items = this.#options.items();
        const starts = new Float64Array(items.length + 1);
        items.slice(0, items.length).forEach((item, at) => {
            starts[at + 1] = (starts[at] ?? 0) + this.#height(item);
        });
        return starts;
    });

    readonly rows: WindowedRow<T>[] = $derived.by(() => {
        const items = this.#options.items();
        const first = this.#at(this.#top - SPARE);
        const last = this.#at(this.#top + this.#seen + STRIDE + SPARE);
        const focused = this.#focused === null ? -1 : this.#placeOf(this.#focused);
        const drawn = items.slice(first, last + 1).map((item, index) => ({ item, at: first + index, gap: 0 }));
        const [kept] = focused < 0 ? [] : items.slice(focused, focused + 1);
        if (kept !== undefined && focused < first) {
            drawn.unshift({ item: kept, at: focused, gap: 0 });
        } else if (kept !== undefined && focused > last) {
            drawn.push({ item: kept, at: focused, gap: 0 });
        }
        let end = 0;
        return drawn.map((row) => {
            const gap = this.#start(row.at) - end;
            end = this.#start(row.at + 1);
            return { ...row, gap };
        });
    });

    /** Pixels of the rows left out after the last one that is drawn. */
    readonly after: number = $derived.by(() => this.#start(this.#options.items().length) - this.#start((this.rows.at(-1)?.at ?? -1) + 1));

    constructor(options: Options<T>) {
        this.#options = options;
    }

    /** For the element around the rows. It may be the one that scrolls, or be anywhere inside of that. */
    readonly list: Attachment<HTMLElement> = (list) => {
        const scroller = scrollerOf(list);
        const look = (): void => this.#look();
        const resized = new ResizeObserver(look);
        const onfocusin = (event: FocusEvent): void => {
            const row = event.target instanceof Element ? event.target.closest("[data-windowed]") : null;
            this.#focused = row === null ? null : (this.#keys.get(row) ?? null);
        };
        const onfocusout = (event: FocusEvent): void => {
            if (!(event.relatedTarget instanceof Node) || !list.contains(event.relatedTarget)) {
                // Chromium also reports this while the list is being removed, when nothing may change.
                queueMicrotask(() => {
                    if (!list.contains(document.activeElement)) {
                        this.#focused = null;
                    }
                });
            }
        };
        [this.#list, this.#scroller] = [list, scroller];
        // Rows are kept in place here, in every engine alike.
        scroller.style.overflowAnchor = "none";
        scroller.addEventListener("scroll", look, { passive: true });
        list.addEventListener("focusin", onfocusin);
        list.addEventListener("focusout", onfocusout);
        // Changes above the list move it.
        [scroller, ...scroller.children].forEach((element) => resized.observe(element));
        look();
        return () => {
            resized.disconnect();
            scroller.removeEventListener("scroll", look);
            list.removeEventListener("focusin", onfocusin);
            list.removeEventListener("focusout", onfocusout);
            [this.#list, this.#scroller] = [null, null];
        };
    };

    /** For an element right above the first row that is inside the list as well. */
    readonly start: Attachment<HTMLElement> = (before) => {
        this.#before = before;
        this.#look();
        return () => void (this.#before = null);
    };

    /** For each row, so that it is measured. The same for the same row: nothing is attached twice. */
    row(item: T): Attachment<HTMLElement> {
        const key = this.#options.key(item);
        const known = this.#attachments.get(key);
        if (known !== undefined) {
            return known;
        }
        const made: Attachment<HTMLElement> = (row) => {
            row.dataset["windowed"] = "";
            this.#keys.set(row, key);
            this.#sizes.observe(row);
            return () => this.#sizes.unobserve(row);
        };
        this.#attachments.set(key, made);
        return made;
    }

    /** Scrolls just as far as a row needs to be seen; `center`: to the middle, if it is not seen. */
    reveal(at: number, where: "nearest" | "center" = "nearest"): void {
        if (this.#scroller === null || this.#list === null || this.#scroller.clientHeight === 0) {
            return;
        }
        const seen = this.#scroller.clientHeight;
        const [start, end, top] = [this.#start(at), this.#start(at + 1), this.#scrolled()];
        if (start >= top && end <= top + seen) {
            return;
        }
        const to = where === "center" ? start - (seen - (end - start)) / 2 : start < top ? start : end - seen;
        this.#scroller.scrollTop += to - top;
        this.#look();
    }

    readonly #sizes = new ResizeObserver((entries) => {
        let [changed, above] = [false, 0];
        for (const { target, borderBoxSize } of entries) {
            const key = this.#keys.get(target);
            const height = borderBoxSize[0]?.blockSize ?? 0;
            // Hidden rows have no height.
            if (key === undefined || height === 0) {
                continue;
            }
            const before = this.#heights.get(key) ?? this.#options.guess;
            this.#heights.set(key, height);
            if (Math.abs(before - height) >= 0.5) {
                changed = true;
                above += this.#isAbove(target) ? height - before : 0;
            }
        }
        if (changed) {
            this.#measured += 1;
            if (above !== 0 && this.#scroller !== null) {
                this.#scroller.scrollTop += above;
            }
        }
    });

    #placeOf(key: string): number {
        const items = this.#options.items();
        return items.slice(0, items.length).findIndex((item) => this.#options.key(item) === key);
    }

    #height(item: T): number {
        return this.#heights.get(this.#options.key(item)) ?? this.#options.guess;
    }

    #start(at: number): number {
        if (this.#options.even === true) {
            return Math.min(at, this.#options.items().length) * this.#options.guess;
        }
        return this.#starts[at] ?? 0;
    }

    /** The row that is at so many pixels. */
    #at(pixels: number): number {
        let [low, high] = [0, Math.max(0, this.#options.items().length - 1)];
        while (low < high) {
            const middle = Math.ceil((low + high) / 2);
            if (this.#start(middle) <= pixels) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    #isAbove(row: Element): boolean {
        const top = this.#scroller?.getBoundingClientRect().top ?? 0;
        return row.getBoundingClientRect().bottom <= top;
    }

    #scrolled(): number {
        const first = this.#before?.getBoundingClientRect().bottom ?? this.#list?.getBoundingClientRect().top ?? 0;
        return (this.#scroller?.getBoundingClientRect().top ?? 0) - first + this.#inside();
    }

    /** If the list scrolls itself, its own top does not move. */
    #inside(): number {
        return this.#scroller === this.#list ? (this.#scroller?.scrollTop ?? 0) : 0;
    }

    #look(): void {
        const seen = this.#scroller?.clientHeight ?? 0;
        // Another place is shown: this one is found again as it was.
        if (seen === 0) {
            return;
        }
        this.#seen = seen;
        this.#top = Math.floor(this.#scrolled() / STRIDE) * STRIDE;
    }
}

function scrollerOf(list: HTMLElement): HTMLElement {
    for (let element: HTMLElement | null = list; element !== null; element = element.parentElement) {
        if (/auto|scroll/.test(getComputedStyle(element).overflowY)) {
            return element;
        }
    }
    return document.documentElement;
}
