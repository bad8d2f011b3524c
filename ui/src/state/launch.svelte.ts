/** The form that starts a run: the available choices, and the chosen ones. */
import type {
    ApiError,
    Image,
    ModelInfo,
    ModelList,
    ModelOffer,
    RunLimits,
    RunRequest,
    RunSummary,
    SandboxState,
    ScreenplayInfo,
} from "../generated/api";
import { host, toApiError } from "../host";
import { onChange } from "../host/changes";
import { recordedId, recordedRun } from "../trace/recorded";
import { harnesses } from "./harnesses.svelte";
import { Means } from "./means.svelte";
import { pathChoice } from "./path-choice.svelte";
import { runs } from "./runs.svelte";
import { skillChoice } from "./skill-choice.svelte";
import { skills } from "./skills.svelte";

/** Recorded runs that are offered as models. */
const RECORDINGS = 12;

export class Launch extends Means {
    models = $state.raw<ModelList | null>(null);
    /** Servers that are not used in a model yet. */
    offers = $state.raw<readonly ModelOffer[]>([]);
    screenplays = $state.raw<ScreenplayInfo[]>([]);
    project = $state.raw<RunLimits | null>(null);
    error = $state.raw<ApiError | null>(null);

    model = $state("");
    prompt = $state("");
    /** What the user says it with. */
    images = $state.raw<readonly Image[]>([]);
    /** Path of a screenplay; `null`: by the prompt. */
    screenplay = $state<string | null>(null);
    machine = $state.raw<SandboxState | null>(null);
    starting = $state(false);

    readonly chosenModel: ModelInfo | null = $derived(this.models?.models.find((known) => known.id === this.model) ?? null);
    /** The newest runs that have answers of their own. */
    answering = $state.raw<readonly RunSummary[]>([]);
    /** There are older ones, among which one can be chosen. */
    moreAnswering = $state(false);
    /** Another one than the newest is being chosen. */
    choosing = $state(false);
    /** The one that was chosen among all. */
    #found = $state.raw<RunSummary | null>(null);
    /** The run whose answers are repeated. */
    readonly recording: RunSummary | null = $derived.by(() => {
        const run = recordedRun(this.model);
        return run === null ? null : (runs.summary(run) ?? (this.#found?.id === run ? this.#found : null));
    });
    /** The newest, and the chosen one however old it is. */
    readonly recordings: readonly RunSummary[] = $derived.by(() => {
        const chosen = this.recording;
        const isListed = chosen === null || this.answering.some((run) => run.id === chosen.id);
        return isListed ? this.answering : [...this.answering, chosen];
    });
    readonly asks: boolean = $derived(this.chosenModel?.rehearsal === false);
    readonly priced: boolean = $derived(this.chosenModel?.entry?.prices != null);
    /** Screenplays that can be played. */
    readonly scenes: ScreenplayInfo[] = $derived(this.screenplays.filter((known) => known.error === null));
    /** What the rehearsal model will play; `null`: the fixed walk. */
    readonly scene: ScreenplayInfo | null = $derived(
        this.scenes.find((known) =>
            this.screenplay === null ? known.screenplay.prompt.trim() === this.prompt.trim() : known.path === this.screenplay,
        ) ?? null,
    );
    readonly ready: boolean = $derived(
        harnesses.choice !== null &&
            harnesses.chosen?.runs !== false &&
            (this.chosenModel?.ready === true || this.recording !== null) &&
            this.limitsAreRight &&
            this.prompt.trim() !== "" &&
            !this.starting,
    );

    constructor() {
        super();
        // Screenplays and project files are in the folders of skills.
        const again = () => (this.models === null ? undefined : this.load());
        onChange("skills", again);
        onChange("models", again);
    }

    /** As it is when the window opens: nothing is read, and nothing chosen. */
    override reset(): void {
        super.reset();
        this.models = this.project = this.error = this.machine = null;
        this.offers = this.screenplays = this.answering = this.images = [];
        this.model = this.prompt = "";
        this.screenplay = this.#found = null;
        this.starting = this.moreAnswering = this.choosing = false;
    }

    async load(): Promise<void> {
        try {
            const [models, offers, screenplays, project, machine] = await Promise.all([
                host.call("model_list", {}),
                host.call("model_offers", {}).catch(() => []),
                host.call("screenplay_list", {}),
                host.call("run_limits", {}).catch(() => null),
                host.call("sandbox_state", {}).catch(() => null),
                harnesses.load(),
                runs.list === null ? runs.load() : undefined,
                skills.list === null ? skills.load() : undefined,
            ]);
            this.models = models;
            this.offers = offers;
            this.screenplays = screenplays;
            this.project = project;
            this.machine = machine;
            this.error = null;
            this.#keep();
        } catch (thrown) {
            this.error = toApiError(thrown);
        }
    }

    /** Fetches which runs have answers to give. Without them none are offered, and nothing else is lost. */
    async loadAnswering(): Promise<void> {
        const none = { runs: [], ids: [] };
        const found = await host.call("run_index", { words: "", most: RECORDINGS, answering: true }).catch(() => none);
        this.answering = found.runs;
        this.moreAnswering = found.ids.length > found.runs.length;
    }

    /** Chooses the run whose answers are repeated, among all recorded ones. */
    chooseRun(run: RunSummary): void {
        this.#found = run;
        this.choosing = false;
        this.choose(recordedId(run.id));
    }

    /** A model by its id. A recorded run is chosen with its prompt: to another one it has no answer. */
    choose(model: string): void {
        this.model = model;
        if (this.recording !== null) {
            this.ask(this.recording.setup.prompt);
        }
    }

    /** A scene is chosen with its prompt; `null` leaves the choice to the prompt. */
    play(path: string | null): void {
        this.screenplay = path;
        const scene = this.scenes.find((known) => known.path === path);
        if (scene !== undefined) {
            this.prompt = scene.screenplay.prompt;
        }
    }

    /** A prompt of the user's own: a scene that was chosen for another one is played no longer. */
    ask(prompt: string): void {
        this.prompt = prompt;
        this.screenplay = null;
    }

    request(): RunRequest {
        return {
            roots: null,
            harness: harnesses.choice?.harness ?? "",
            variant: harnesses.choice?.variant ?? null,
            model: this.model,
            prompt: this.prompt,
            ...(this.images.length > 0 && { images: [...this.images] }),
            screenplay: this.chosenModel?.rehearsal === true ? this.screenplay : null,
            without: [...skillChoice.out],
            neutralPaths: pathChoice.neutral,
            means: this.means,
        };
    }

    /** Keeps the choices that still exist. */
    #keep(): void {
        if (this.chosenModel === null && this.recording === null) {
            const models = this.models?.models ?? [];
            const begin = models.find((known) => known.id === harnesses.project?.model);
            this.model = (begin ?? models.find((known) => known.ready) ?? models[0])?.id ?? "";
        }
        if (this.screenplay !== null && this.scene === null) {
            this.screenplay = null;
        }
        if (this.prompt === "") {
            this.prompt = this.scenes[0]?.screenplay.prompt ?? "";
        }
    }
}

export const launch = new Launch();
