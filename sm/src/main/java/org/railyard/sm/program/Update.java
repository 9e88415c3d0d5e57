package org.railyard.sm.program;

import java.util.function.Consumer;
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
 * @param unsure notes that nobody knows whether the node has taken it: there was no answer
 */
public record Update(ManagedNode node, Mad mad, Consumer<Mad> accepted, Runnable unsure) {
    private static final Runnable STAYS = () -> {};

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
        return new Update(node, mad, answer -> accepted.accept(answer.data(type)), STAYS);
    }
}
