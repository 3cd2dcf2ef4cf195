// Loaded before every test file of the packages and the server, by bunfig.toml: what holds for all of their tests.
import { beforeEach } from "bun:test";
import { untilHourHasRoom } from "./until-hour-has-room.ts";

beforeEach(() => untilHourHasRoom());
