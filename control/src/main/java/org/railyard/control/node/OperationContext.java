package org.railyard.control.node;

import java.util.Map;
import java.util.function.Consumer;
import org.railyard.config.Configuration;
import org.railyard.control.Operation;
import org.railyard.lnet.LNet;

/**
 * What an operation is done with.
 *
 * @param running LNet, if it runs, and the machine
 * @param operation the operation
 * @param journal how to take back what it changes
 * @param document what the document asks for that it imports; nothing if it imports none
 */
record OperationContext(Running running, Operation operation, UndoLog journal, Configuration document) {
    /** Makes one of an operation that imports no document. */
    OperationContext(Running running, Operation operation, UndoLog journal) {
        this(running, operation, journal, Configuration.EMPTY);
    }

    /** Returns LNet; refuses the operation with ENETDOWN if it does not run. */
    LNet lnet() {
        return running.require(operation);
    }

    /** Changes LNet, for operations that are edits; returns the answer, which is empty. */
    Map<String, Object> edit(Consumer<Edits> change) {
        change.accept(edits());
        return Map.of();
    }

    /** Returns what changes LNet, for operations that are edits. */
    Edits edits() {
        if (!(operation instanceof Operation.Edit)) {
            throw new IllegalStateException(operation + " is no edit, and changes nothing");
        }
        return new Edits(lnet(), journal);
    }

    NodeEnvironment machine() {
        return running.machine();
    }
}
