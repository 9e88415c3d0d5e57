package org.railyard.socklnd.peer;

import java.net.InetAddress;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.railyard.socklnd.connection.Connection;
import org.railyard.socklnd.wire.ConnectionType;

/** The connections of one peer at one moment. Immutable, except that the array is not copied. */
final class ConnectionSet {
    static final ConnectionSet EMPTY = new ConnectionSet();

    private final Connection[] connections;

    private ConnectionSet(Connection... connections) {
        this.connections = connections;
    }

    /** Returns them for reading only, so that choosing one per message allocates nothing. */
    Connection[] array() {
        return connections;
    }

    int size() {
        return connections.length;
    }

    boolean isEmpty() {
        return connections.length == 0;
    }

    boolean contains(Connection wanted) {
        for (Connection connection : connections) {
            if (connection == wanted) {
                return true;
            }
        }
        return false;
    }

    int count(ConnectionType type) {
        int count = 0;
        for (Connection connection : connections) {
            if (connection.type() == type) {
                count++;
            }
        }
        return count;
    }

    /** Tells whether there is one of each type. */
    boolean hasEachType() {
        return count(ConnectionType.CONTROL) > 0
                && count(ConnectionType.BULK_IN) > 0
                && count(ConnectionType.BULK_OUT) > 0;
    }

    ConnectionSet with(Connection connection) {
        Connection[] more = Arrays.copyOf(connections, connections.length + 1);
        more[connections.length] = connection;
        return new ConnectionSet(more);
    }

    /** Returns those with a remote address, all if it is null. */
    ConnectionSet only(@Nullable InetAddress remote) {
        return filtered(remote, true);
    }

    /** Returns those without a remote address, none if it is null. */
    ConnectionSet without(@Nullable InetAddress remote) {
        return filtered(remote, false);
    }

    private ConnectionSet filtered(@Nullable InetAddress remote, boolean matching) {
        return new ConnectionSet(Arrays.stream(connections)
                .filter(connection -> (remote == null || connection.remote().equals(remote)) == matching)
                .toArray(Connection[]::new));
    }
}
