package org.railyard.console;

import org.railyard.lab.observe.RunRecorder;
import org.railyard.lab.run.RunResult;
import org.railyard.lab.scenario.Scenario;

/**
 * A run of the lab that a console shows.
 *
 * @param name of the scenario, to show
 * @param command that prints the same run
 * @param scenario what was run
 * @param result how it ended
 * @param recorder what happened
 */
public record ShownRun(String name, String command, Scenario scenario, RunResult result, RunRecorder recorder) {}
