package org.railyard.softverbs;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.CmEvent;
import org.railyard.verbs.CmListener;
import org.railyard.verbs.CmRejectReason;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.card.AddressBook;

/**
 * The connection manager of a machine: who listens where, which connections there are, and messages between managers.
 */
final class SoftManager {
    /** Most connections, being set up or in being. */
    static final int MAX_IDS = 1 << 20;

    /** Everything of the connection manager travels on this service level. */
    private static final int MANAGER_SL = 0;

    /** A management datagram with its headers. */
    private static final int DATAGRAM_BYTES = 256 + SoftSettings.PACKET_OVERHEAD + 8;

    private static final int NO_RESOURCES = 1;
    private static final int INVALID_ID = 6;

    /** A request by the port that it came from and the number it has there. */
    private record Origin(int fabricPort, int id) {}

    private final SoftNode node;
    private final Map<Integer, SoftCmId> ids = new LinkedHashMap<>();
    private final Map<Origin, SoftCmId> requests = new LinkedHashMap<>();
    private final AddressBook<SoftCmId> addresses;
    private int lastId;

    SoftManager(SoftNode node) {
        this.node = node;
        this.addresses = new AddressBook<>(node.toString());
    }

    SoftCmId create(SoftLoop loop, CmListener listener) {
        if (ids.size() >= MAX_IDS) {
            throw new VerbsException(VerbsException.Code.ENOMEM, "more than " + MAX_IDS + " connections on " + node);
        }
        SoftCmId id = new SoftCmId(this, node, ++lastId, loop, listener);
        ids.put(id.number(), id);
        return id;
    }

    /** Takes an address; returns it with the port that was chosen if it had none. */
    CmAddress bind(CmAddress wanted, boolean reuse) {
        if (wanted.ip() != 0 && node.find(wanted.ip()) == null) {
            throw new VerbsException(VerbsException.Code.EADDRNOTAVAIL, "no interface of " + node + " has " + wanted);
        }
        return addresses.bind(wanted, reuse);
    }

    void unbind(CmAddress address) {
        addresses.unbind(address);
    }

    void listen(SoftCmId id) {
        addresses.listen(id.localAddress(), id);
    }

    void forget(SoftCmId id) {
        ids.remove(id.number());
        requests.values().remove(id);
        addresses.forget(id);
    }

    void deviceRemoved(SoftDevice device) {
        for (SoftCmId id : List.copyOf(ids.values())) {
            if (id.device() == device) {
                id.tell(CmEvent.of(CmEvent.Type.DEVICE_REMOVED));
            }
        }
    }

    /** The program that owns everything has ended: the peers of its connections are told. */
    void exit() {
        ids.values().forEach(SoftCmId::leave);
        die();
    }

    /** The machine lost its power. */
    void die() {
        List.copyOf(ids.values()).forEach(SoftCmId::die);
        ids.clear();
        requests.clear();
        addresses.clear();
    }

    /** Sends a message to the manager of another machine, or of this one. */
    void send(CmMessage message) {
        SoftFabric fabric = node.fabric();
        FabricFaults.Verdict verdict = fabric.faults().judge(message.kind(), message.from(), message.to());
        fabric.trace("cm " + message.kind(), message.from().toString(), message.fromId(), message.toId());
        SoftManager other = message.to().device().node().manager();
        fabric.carrier()
                .carry(new Shipment(
                        message.kind(),
                        new PortPair(message.from(), message.to(), MANAGER_SL),
                        DATAGRAM_BYTES,
                        fabric.time().now() + fabric.settings().managerDelay(),
                        0,
                        verdict,
                        Shipment.UNNOTICED,
                        () -> {
                            if (verdict.rejected()) {
                                other.refuse(message, NO_RESOURCES);
                            } else {
                                other.receive(message);
                            }
                        },
                        () -> fabric.trace("cm lost", message.from().toString(), message.fromId(), message.toId())));
    }

    private void refuse(CmMessage message, int reason) {
        send(new CmMessage(
                Kind.CM_REJECT,
                false,
                message.to(),
                message.from(),
                0,
                message.fromId(),
                CmMessage.Offer.NONE,
                reason,
                new byte[0]));
    }

    private void receive(CmMessage message) {
        if (node.isFrozen() || message.to().device().isBroken()) {
            return;
        }
        if (message.kind() == Kind.CM_REQUEST) {
            request(message);
            return;
        }
        SoftCmId id = ids.get(message.toId());
        if (id != null) {
            id.receive(message);
        } else if (message.kind() == Kind.CM_REPLY) {
            refuse(message, INVALID_ID);
        } else if (message.kind() == Kind.CM_DISCONNECT && !message.answer()) {
            send(CmMessage.disconnectAnswer(message));
        }
    }

    private void request(CmMessage message) {
        Origin origin = new Origin(message.from().fabricPort(), message.fromId());
        SoftCmId known = requests.get(origin);
        if (known != null) {
            known.requestedAgain();
            return;
        }
        SoftCmId listener = addresses.listener(message.offer().destination());
        if (listener == null) {
            refuse(message, CmRejectReason.INVALID_SERVICE_ID);
            return;
        }
        SoftCmId id = create(listener.loop(), listener.listener());
        requests.put(origin, id);
        id.requested(message);
        listener.tell(message.asRequest(id));
    }
}
