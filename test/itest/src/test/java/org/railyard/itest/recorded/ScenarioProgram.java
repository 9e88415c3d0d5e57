package org.railyard.itest.recorded;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Plays all scenarios with the recorded addresses themselves, in a namespace that has them; prints one line per
 * scenario.
 */
final class ScenarioProgram {
    private ScenarioProgram() {}

    /** Prints {@code NAME ok}, or {@code NAME} and the failure in Base64. */
    public static void main(String[] args) {
        PrintStream out = System.out;
        for (Scenario scenario : Scenario.values()) {
            try {
                scenario.play(Place.asRecorded());
                out.println(scenario.name() + " ok");
            } catch (Exception | AssertionError e) {
                StringWriter text = new StringWriter();
                e.printStackTrace(new PrintWriter(text, true));
                out.println(scenario.name() + " "
                        + Base64.getEncoder().encodeToString(text.toString().getBytes(StandardCharsets.UTF_8)));
            }
        }
        out.flush();
    }
}
