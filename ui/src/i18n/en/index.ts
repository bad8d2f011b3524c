import { check } from "./check";
import { collisions } from "./collisions";
import { compare } from "./compare";
import { editor } from "./editor";
import { extract } from "./extract";
import { failure } from "./failure";
import { find } from "./find";
import { fork } from "./fork";
import { hidden } from "./hidden";
import { history } from "./history";
import { inspect } from "./inspect";
import { lint } from "./lint";
import { models } from "./models";
import { options } from "./options";
import { outside } from "./outside";
import { pair } from "./pair";
import { present } from "./present";
import { problem } from "./problem";
import { quirk } from "./quirk";
import { review } from "./review";
import { run } from "./run";
import { search } from "./search";
import { shell } from "./shell";
import { skills } from "./skills";
import { trace } from "./trace";

export const en = {
    ...shell,
    ...skills,
    ...editor,
    ...lint,
    ...problem,
    ...inspect,
    ...quirk,
    ...compare,
    ...models,
    ...failure,
    ...run,
    ...trace,
    ...pair,
    ...present,
    ...check,
    ...search,
    ...review,
    ...fork,
    ...hidden,
    ...history,
    ...collisions,
    ...options,
    ...outside,
    ...find,
    ...extract,
};
