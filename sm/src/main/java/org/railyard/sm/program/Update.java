package org.railyard.sm.program;

import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.wire.AttributeType;
import org.railyard.mad.wire.DirectedPath;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.sm.subnet.ManagedNode;

/**
 * One Set.
 *
 * @param node which it is for
 * @param mad the request
 * @param accepted notes what the node holds now; gets the answer, or in a dry run the request
 * @param unsure notes that nobody knows whether the node has taken it: one that was sent had no answer, or none of use
 * @param taken tells of an answer without an error whether the node holds what it was told to
 * @param reached tells of an answer to a Get whether the node is as it shall be, though it refused the Set: a step that
 *     it has made before, when only the answer was lost
 */
public record Update(
        ManagedNode node,
        Mad mad,
        Consumer<Mad> accepted,
        Runnable unsure,
        Predicate<Mad> taken,
        Predicate<Mad> reached) {
    /** Of a Set that is done only if it is not refused. */
    static final Predicate<Mad> NEVER = _ -> false;

    /** Without an answer most Sets are simply sent again in the next sweep. */
    private static void sentAgain() {
        // What the node is known to hold has not changed.
    }

    /** Returns whether an answer has the same table as the request. */
    static boolean sameData(Mad one, Mad other) {
        int end = Mad.SMP_DATA + Mad.SMP_DATA_SIZE;
        return Arrays.equals(one.bytes(), Mad.SMP_DATA, end, other.bytes(), Mad.SMP_DATA, end);
    }

    /** Returns the request that reads what this one writes. */
    Mad question() {
        return mad.copy().set(Mad.METHOD, MadMethod.GET.code());
    }

    Update ifTaken(Predicate<Mad> holds) {
        return new Update(node, mad, accepted, unsure, holds, reached);
    }

    Update orReached(Predicate<Mad> already) {
        return new Update(node, mad, accepted, unsure, taken, already);
    }

    /**
     * Makes one without data: to be filled in.
     *
     * @param port by which the node is asked: an end port of a CA; of switches any
     * @throws ErrnoException EHOSTUNREACH if no path to the port is known
     */
    static Mad request(ManagedNode node, int port, AttributeType<?> type, int modifier) {
        DirectedPath path = node.path(port);
        if (path == null) {
            throw new ErrnoException(Errno.EHOSTUNREACH, "no path to " + node.portName(port) + " is known");
        }
        return Mad.directed(MadMethod.SET, type, modifier, path);
    }

    static <T extends BitStruct<T>> Update of(
            ManagedNode node, int port, AttributeType<T> type, int modifier, T value, Consumer<T> accepted) {
        Mad mad = request(node, port, type, modifier).setData(type, value);
        return new Update(node, mad, answer -> accepted.accept(answer.data(type)), Update::sentAgain, _ -> true, NEVER);
    }

    /**
     * Makes one of a table: without an answer nobody knows what the node holds, and an answer with another value says
     * that it has not taken it.
     */
    static <T extends BitStruct<T>> Update table(
            ManagedNode node,
            int port,
            AttributeType<T> type,
            int modifier,
            T value,
            Consumer<T> accepted,
            Runnable unsure,
            Predicate<T> taken) {
        Mad mad = request(node, port, type, modifier).setData(type, value);
        TableAnswer<T> answer = new TableAnswer<>(type, accepted, taken);
        return new Update(node, mad, answer, unsure, answer, NEVER);
    }

    /** Reads the table of an answer for those who look at it. No lambdas, as there are many of these. */
    private record TableAnswer<T extends BitStruct<T>>(AttributeType<T> type, Consumer<T> accepted, Predicate<T> taken)
            implements Consumer<Mad>, Predicate<Mad> {
        @Override
        public void accept(Mad answer) {
            accepted.accept(answer.data(type));
        }

        @Override
        public boolean test(Mad answer) {
            return taken.test(answer.data(type));
        }
    }
}
