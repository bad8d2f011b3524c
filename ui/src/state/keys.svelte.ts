/** Keys: who listens for which, and the list that the help sheet shows. */
import { SvelteSet } from "svelte/reactivity";
import { app, type Place } from "./app.svelte";
import { chordName, isMac } from "./key-names";

export interface Binding {
    /** The id under which the user's own keys are saved; without it they cannot be changed. */
    id?: string;
    /** `Mod+K`, `Shift+F8`, `j`, `g g`, `Space`, `ArrowRight`; several with ` | `. Mod is ⌘ on a Mac, else Ctrl. */
    keys: string;
    /** In the language that is on. */
    label: () => string;
    /** Where it works. */
    place: Place | "global";
    run: () => void;
    /** Asked at each press. */
    when?: () => boolean;
}

/** Milliseconds between the two keys of `g g`. */
const SEQUENCE = 800;

const bindings = new SvelteSet<Binding>();
let pending: { key: string; at: number } | null = null;

/** Call in `$effect`: the answer takes the keys off again. */
export function registerKeys(added: readonly Binding[]): () => void {
    for (const binding of added) {
        bindings.add(binding);
    }
    return () => {
        for (const binding of added) {
            bindings.delete(binding);
        }
    };
}

export function registeredKeys(): Binding[] {
    return [...bindings];
}

/** The keys of a command: the user's own, else those that it came with. Empty: none. */
export function keysOf(binding: Binding): string {
    return (binding.id === undefined ? undefined : app.settings.keys[binding.id]) ?? binding.keys;
}

/** `null`: as it came. */
export function changeKeys({ id, keys }: Binding, changed: string | null): Promise<void> {
    if (id === undefined) {
        return Promise.resolve();
    }
    const others = Object.fromEntries(Object.entries(app.settings.keys).filter(([other]) => other !== id));
    const isDefault = changed === null || changed === keys;
    return app.change({ keys: isDefault ? others : { ...others, [id]: changed } });
}

/** Another binding with the same chord that is active in the same place; `null`: none. */
export function takenBy(binding: Binding, pressed: string): Binding | null {
    const meets = (other: Binding) => other.place === binding.place || other.place === "global" || binding.place === "global";
    return registeredKeys().find((other) => other.id !== binding.id && meets(other) && ways(other).includes(pressed)) ?? null;
}

/** The label of a control, with the first key of its command. */
export function withKey(label: string, id: string): string {
    const binding = registeredKeys().find((known) => known.id === id);
    const first = binding === undefined ? undefined : ways(binding)[0];
    return first === undefined ? label : `${label} (${first.split(" ").map(chordName).join(" ")})`;
}

function ways(binding: Binding): string[] {
    return keysOf(binding)
        .split(" | ")
        .filter((way) => way !== "");
}

/** One listener on the window. Composing text in an input method is never a key. */
export function handleKey(event: KeyboardEvent): void {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- WebKit has no other mark on the key that ends a composition
    if (event.isComposing || event.keyCode === 229 || event.defaultPrevented) {
        return;
    }
    const pressed = chord(event);
    const before = pending !== null && event.timeStamp - pending.at < SEQUENCE ? `${pending.key} ${pressed}` : null;
    pending = { key: pressed, at: event.timeStamp };
    const resting = standsDown(event);
    const binding = registeredKeys()
        .reverse()
        .find((candidate) => {
            const match = ways(candidate).find((keys) => keys === pressed || keys === before);
            return match !== undefined && !(resting && isPlain(pressed)) && isOpen(candidate);
        });
    if (binding) {
        pending = null;
        event.preventDefault();
        binding.run();
    }
}

/** `Ctrl+Shift+K` as written in bindings, with the modifiers in fixed order. */
export function chord(event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">): string {
    const mod = isMac() ? event.metaKey : event.ctrlKey;
    const key = event.key === " " ? "Space" : event.key;
    const letter = key.length === 1;
    return [mod && "Mod", event.altKey && "Alt", event.shiftKey && !(letter && !mod) && "Shift", letter && mod ? key.toUpperCase() : key]
        .filter((part) => part !== false)
        .join("+");
}

function isOpen(binding: Binding): boolean {
    return (binding.place === "global" || binding.place === app.place) && (binding.when?.() ?? true);
}

/** A chord without a modifier is text in a text field. */
function isPlain(pressed: string): boolean {
    return !/^(Mod\+|Alt\+|(Shift\+)?F\d)/.test(pressed);
}

function standsDown(event: KeyboardEvent): boolean {
    const at = event.target;
    if (!(at instanceof HTMLElement)) {
        return false;
    }
    return at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName) || at.closest("[role=dialog],[role=menu]") !== null;
}
