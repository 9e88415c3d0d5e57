package org.railyard.o2iblnd.cm;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.railyard.o2iblnd.connection.IbConn;
import org.railyard.o2iblnd.ni.O2ibContext;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.CmEvent;
import org.railyard.verbs.CmId;
import org.railyard.verbs.VerbsException;

/**
 * Where requests for connections come in: one for each address, shared by the NIs that have an interface with it.
 * Belongs to the loop.
 */
public final class CmListenPoint {
    private final CmAddress address;
    private final CmId listener;
    private final List<ListeningInterface> members = new ArrayList<>();
    private final PassiveConnect passive = new PassiveConnect(this::memberOf);

    /**
     * Listens.
     *
     * @throws VerbsException EADDRINUSE if another program does
     */
    CmListenPoint(O2ibContext context, CmAddress address) {
        this.address = address;
        this.listener = context.verbs().createId(context.loop(), this::onCmEvent);
        try {
            listener.bind(address, false);
            listener.listen();
        } catch (VerbsException e) {
            listener.close();
            throw e;
        }
    }

    CmAddress address() {
        return address;
    }

    void add(ListeningInterface member) {
        members.add(member);
    }

    void remove(ListeningInterface member) {
        members.remove(member);
    }

    boolean isEmpty() {
        return members.isEmpty();
    }

    /** Returns the interface whose NI has a NID; the first one if none has. */
    private ListeningInterface memberOf(long nid4) {
        for (ListeningInterface each : members) {
            if (each.ni().nid4() == nid4) {
                return each;
            }
        }
        return members.getFirst();
    }

    private void onCmEvent(CmId id, CmEvent event) {
        if (event.type() == CmEvent.Type.CONNECT_REQUEST) {
            CmId request = Objects.requireNonNull(event.request());
            if (members.isEmpty()) {
                request.close();
            } else {
                passive.request(request, event.privateData());
            }
            return;
        }
        for (ListeningInterface member : members) {
            IbConn conn = member.acceptedAt(id);
            if (conn != null) {
                passive.event(conn, event);
                return;
            }
        }
    }

    void close() {
        listener.close();
    }
}
