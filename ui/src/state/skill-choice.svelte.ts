/** Which skills of the open folders take part in Inspect, Compare and runs. */
import { skills } from "./skills.svelte";

export class SkillChoice {
    /** By their names; skills that are new take part. */
    without = $state.raw<ReadonlySet<string>>(new Set());
    /** Of all skills in the open folders, each once. */
    readonly names: readonly string[] = $derived([...new Set((skills.list?.skills ?? []).map((skill) => skill.name))]);
    /** Those that are there and take no part. */
    readonly out: readonly string[] = $derived(this.names.filter((name) => this.without.has(name)));
    readonly in: readonly string[] = $derived(this.names.filter((name) => !this.without.has(name)));

    toggle(name: string): void {
        const without = new Set(this.without);
        if (!without.delete(name)) {
            without.add(name);
        }
        this.without = without;
    }

    only(name: string): void {
        this.without = new Set(this.names.filter((each) => each !== name));
    }

    all(): void {
        this.without = new Set();
    }

    none(): void {
        this.without = new Set(this.names);
    }
}

export const skillChoice = new SkillChoice();
