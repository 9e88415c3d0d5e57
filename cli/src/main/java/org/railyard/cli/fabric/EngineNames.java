package org.railyard.cli.fabric;

import java.util.Iterator;
import java.util.stream.Stream;
import org.railyard.fabric.proven.EngineName;

/** What a shell completes where an engine is named. */
public final class EngineNames implements Iterable<String> {
    /** For picocli. */
    public EngineNames() {}

    @Override
    public Iterator<String> iterator() {
        return Stream.of(EngineName.values()).map(EngineName::text).iterator();
    }
}
