package org.railyard.control;

import java.util.Map;
import org.railyard.base.Errno;

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

    /**
     * Tells in a first document with {@code last} how many events a node ever had, then the last of them, and then
     * others as they happen, until no more are wanted; the calling thread waits in here.
     *
     * @param which which events, and how many of the last
     * @param to takes each as a document as {@link EventsOperation.Show} has them; for a reader that is too slow some
     *     are missing, and a document says with {@code lost} how many
     * @throws DlcException if it is refused: EINVAL for what can not be read, EBUSY if too many follow, EOPNOTSUPP if
     *     the node can not be followed
     * @throws InterruptedException if the thread is interrupted
     */
    default void follow(EventsOperation.Show which, DocumentSink to) throws InterruptedException {
        throw new DlcException(which, Errno.EOPNOTSUPP, "the events of this node can not be followed");
    }
}
