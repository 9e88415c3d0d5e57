package org.railyard.fabric.format;

import java.util.List;
import org.railyard.fabric.model.Fabric;

/**
 * LIDs that were given.
 *
 * @param fabric the fabric with its LIDs
 * @param findings ports that had another LID before, one line each
 */
public record LidAssignment(Fabric fabric, List<String> findings) {
    /** Copies the findings. */
    public LidAssignment {
        findings = List.copyOf(findings);
    }
}
