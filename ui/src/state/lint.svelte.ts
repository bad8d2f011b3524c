/** What rules find: in the skills on disk, and in those that are being edited; and the rules themselves. */
import { SvelteMap } from "svelte/reactivity";
import type {
    ApiError,
    FindingDto,
    Profile,
    RuleDto,
    SecurityDto,
    SecurityVerdict,
    Setting,
    Severity,
    SkillCounts,
} from "../generated/api";
import { host, toApiError } from "../host";
import { onChange } from "../host/changes";
import { isWithin } from "./names";
import { skills } from "./skills.svelte";
import { toasts } from "./toasts.svelte";

/** Milliseconds without a change on disk before the skills are counted again. */
const REST = 200;

export type Counts = Pick<SkillCounts, "errors" | "warnings" | "infos">;

/** Of one skill, by the texts of its open files as they were when it was asked. */
interface Look {
    findings: readonly FindingDto[];
    security: SecurityDto | null;
    texts: ReadonlyMap<string, string>;
}

export class Lint {
    rules = $state.raw<readonly RuleDto[] | null>(null);
    rulesError = $state.raw<ApiError | null>(null);
    /** Which rules are on if the project names none. */
    profile = $state.raw<Profile>("recommended");
    /** The view of all rules; `rule`: the rule whose card is shown. */
    view = $state.raw<{ rule: string | null } | null>(null);
    /** The rule whose setting is being written. */
    setting = $state<string | null>(null);

    #counted = $state.raw<ReadonlyMap<string, Counts>>(new Map());
    #verdicts = $state.raw<ReadonlyMap<string, SecurityVerdict | null>>(new Map());
    #looks = new SvelteMap<string, Look>();
    #byId = $derived(new Map(this.rules?.map((rule) => [rule.id, rule])));
    #asked = 0;
    #failed = false;
    #timer: ReturnType<typeof setTimeout> | undefined;
    #loading: Promise<void> | null = null;
    #counting: Promise<boolean> | null = null;

    constructor() {
        onChange("rules", () => {
            // Who has not read them yet will.
            if (this.rules !== null) {
                this.#loading = this.reloadRules();
                this.soon();
            }
        });
    }

    /** The counts of a skill: as in the editor, if it is open there. `null`: not counted yet. */
    counts(skill: string): Counts | null {
        const look = this.#looks.get(skill);
        return look ? tally(look.findings) : (this.#counted.get(skill) ?? null);
    }

    /** On the security of a skill, in the same way. `null`: not checked yet, or the project has verdicts off. */
    verdict(skill: string): SecurityVerdict | null {
        const look = this.#looks.get(skill);
        return look ? (look.security?.verdict ?? null) : (this.#verdicts.get(skill) ?? null);
    }

    /** The verdict on the skill that a file belongs to, with its evidence. */
    security(path: string): SecurityDto | null {
        return this.#looks.get(keyOf(path))?.security ?? null;
    }

    /** In the skill that a file belongs to, by file and place. */
    findings(path: string): readonly FindingDto[] {
        return this.#looks.get(keyOf(path))?.findings ?? [];
    }

    /** Whether the findings are from exactly this text. */
    isOf(path: string, text: string): boolean {
        const look = this.#looks.get(keyOf(path));
        return look !== undefined && (look.texts.get(path) ?? text) === text;
    }

    took(path: string, look: Look): void {
        this.#looks.set(keyOf(path), look);
    }

    /** The last file of the skill was closed. */
    leave(path: string): void {
        this.#looks.delete(keyOf(path));
    }

    /** The skills in this folder have moved. */
    moved(from: string): void {
        for (const key of [...this.#looks.keys()].filter((known) => isWithin(known, from))) {
            this.#looks.delete(key);
        }
    }

    rule(id: string): RuleDto | null {
        return this.#byId.get(id) ?? null;
    }

    /** Counts again after a pause in changes. The old counts stay until then. */
    soon(): void {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => void this.count(), REST);
    }

    /** Whether all could be. */
    count(): Promise<boolean> {
        const counting = this.#count().finally(() => {
            this.#counting = this.#counting === counting ? null : this.#counting;
        });
        this.#counting = counting;
        return counting;
    }

    /** Resolves when all skills on disk have been checked, or cannot be. */
    looked(): Promise<boolean> {
        return this.#counting ?? this.count();
    }

    async #count(): Promise<boolean> {
        clearTimeout(this.#timer);
        const asked = ++this.#asked;
        try {
            const counts = await host.call("lint_counts", {});
            if (asked === this.#asked) {
                this.#counted = new Map(counts.map(({ skill, errors, warnings, infos }) => [skill, { errors, warnings, infos }]));
                this.#verdicts = new Map(counts.map(({ skill, verdict }) => [skill, verdict]));
                this.#failed = false;
            }
            return true;
        } catch (thrown) {
            // Reported once, not at every change on disk.
            if (!this.#failed) {
                toasts.error(thrown);
            }
            this.#failed = true;
            return false;
        }
    }

    /** Reads the rules, once. */
    loadRules(): Promise<void> {
        this.#loading ??= this.reloadRules();
        return this.#loading;
    }

    async reloadRules(): Promise<void> {
        try {
            this.rules = await host.call("rule_list", {});
            this.profile = await host.call("rule_profile", {});
            this.rulesError = null;
        } catch (thrown) {
            this.rulesError = toApiError(thrown);
            this.#loading = null;
        }
    }

    open(rule: string | null = null): void {
        this.view = { rule };
        // The project's settings may have been changed by hand in the meantime.
        this.#loading = this.reloadRules();
    }

    /** Writes what the project says of a rule; `false`: it could not be written, and a toast says why. */
    async set(rule: string, setting: Setting | null): Promise<boolean> {
        this.setting = rule;
        const rules = await toasts.guard(() => host.call("rule_set", { rule, setting }));
        await this.#loading;
        this.setting = null;
        return rules !== null;
    }

    /** The same for the profile that the project follows. */
    async setProfile(profile: Profile): Promise<boolean> {
        const rules = await toasts.guard(() => host.call("rule_profile_set", { profile }));
        await this.#loading;
        return rules !== null;
    }
}

export const lint = new Lint();

export function tally(findings: readonly FindingDto[]): Counts {
    const count = (severity: Severity): number => findings.filter((finding) => finding.severity === severity).length;
    return { errors: count("error"), warnings: count("warning"), infos: count("info") };
}

/** The severity of a rule's findings here. */
export function weight(rule: RuleDto): Setting {
    return rule.setting ?? (rule.on ? rule.severity : "off");
}

/** A skill is known by its folder; a file outside of all skills by itself. */
function keyOf(path: string): string {
    return skills.skillOf(path)?.id ?? path;
}
