package org.railyard.cli.lab;

import java.util.Iterator;
import org.railyard.lab.scenario.Library;

/** What a shell completes where a scenario is named; it goes on to files where none of these fits. */
public final class ScenarioNames implements Iterable<String> {
    /** For picocli. */
    public ScenarioNames() {}

    @Override
    public Iterator<String> iterator() {
        return Library.names().iterator();
    }
}
