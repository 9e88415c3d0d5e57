package org.railyard.control;

import java.util.Map;

/**
 * The dynamic configuration of a node: the only way to change a node that runs as a service, and the way to look at it
 * (spec 12 §10). The daemon, the command line and tests all go through here, whether the node is in this process or in
 * another.
 *
 * <p>Each operation is a value, see the permitted types of {@link Operation}, and is done as a whole or not at all.
 * Operations that change something follow each other; {@code ping} and {@code discover} may take long and hold up
 * nobody. Thread-safe.
 */
@FunctionalInterface
public interface Dlc {
    /**
     * Does an operation.
     *
     * @return its answer as a document: mappings, lists, texts, whole numbers and switches; empty if there is nothing
     *     to show
     * @throws DlcException if it is refused; then nothing has changed
     */
    Map<String, Object> execute(Operation operation);
}
