package org.railyard.lab.observe;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.base.host.Host;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndProvider;
import org.railyard.lnet.lnd.LndReceiver;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.lnd.NiBinding;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.lnd.PeerConnections;
import org.railyard.lnet.nid.NetType;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;

/**
 * A window between a stack and its LND: passes everything on unchanged and tells a watcher. Belongs to the thread of
 * its run.
 */
public final class WatchedLnd implements Lnd, LndUpcalls {
    private final NodeRun life;
    private final LndUpcalls stack;
    private final LndWatch watch;
    private final ArrayDeque<WatchedReceiver> free = new ArrayDeque<>();
    private @Nullable Lnd lnd;

    private WatchedLnd(NodeRun life, LndUpcalls stack, LndWatch watch) {
        this.life = life;
        this.stack = stack;
        this.watch = watch;
    }

    /** Returns what makes LNDs like the given one with a window. */
    public static LndProvider around(LndProvider inner, NodeRun life, LndWatch watch) {
        return new LndProvider() {
            @Override
            public NetType type() {
                return inner.type();
            }

            @Override
            public Lnd create(LndUpcalls stack, Host host) {
                WatchedLnd made = new WatchedLnd(life, stack, watch);
                Lnd created = inner.create(made, host);
                made.lnd = created;
                life.uses(created);
                return made;
            }
        };
    }

    private Lnd inner() {
        Lnd inner = lnd;
        if (inner == null) {
            throw new IllegalStateException("an LND calls before it is made");
        }
        return inner;
    }

    /** The payload of one header. */
    private final class WatchedReceiver implements LndReceiver {
        private @Nullable LndReceiver source;
        private @Nullable LndNi ni;

        @Override
        public void receive(@Nullable LndMessage message, int mlen, int rlen) {
            LndReceiver from = source;
            LndNi where = ni;
            if (from == null || where == null) {
                throw new IllegalStateException("the stack of " + life + " answered twice to one header");
            }
            source = null;
            free.addLast(this);
            if (message != null && from.placesReply()) {
                watch.sending(life, where, message);
            } else {
                watch.receiving(life, where, message, mlen);
            }
            from.receive(message, mlen, rlen);
        }

        @Override
        public boolean placesReply() {
            LndReceiver from = source;
            return from != null && from.placesReply();
        }
    }

    @Override
    public int send(LndNi ni, LndMessage message) {
        watch.sending(life, ni, message);
        int status = inner().send(ni, message);
        if (status < 0) {
            watch.refused(life, ni, message, status);
        }
        return status;
    }

    @Override
    public void complete(LndMessage message, int status, HealthStatus health) {
        watch.completing(life, message, status, health);
        stack.complete(message, status, health);
    }

    @Override
    public int parse(LndNi ni, LNetHeader header, Nid from, int fromPid, LndReceiver receiver) {
        watch.arriving(life, ni, header, from);
        WatchedReceiver watched = free.pollLast();
        if (watched == null) {
            watched = new WatchedReceiver();
        }
        watched.source = receiver;
        watched.ni = ni;
        int status = stack.parse(ni, header, from, fromPid, watched);
        if (status < 0) {
            watch.unwanted(life, ni, header, status);
        }
        return status;
    }

    @Override
    public @Nullable LndMessage reply(LndNi ni, LndMessage get) {
        LndMessage reply = stack.reply(ni, get);
        if (reply != null) {
            watch.expecting(life, ni, reply);
        }
        return reply;
    }

    @Override
    public void setReplyLength(LndMessage reply, int length) {
        stack.setReplyLength(reply, length);
    }

    @Override
    public void notifyPeer(LndNi ni, Nid peer, boolean alive, boolean reset, long whenNanos) {
        stack.notifyPeer(ni, peer, alive, reset, whenNanos);
    }

    @Override
    public void connected(LndNi ni, Nid peer) {
        stack.connected(ni, peer);
    }

    @Override
    public void disconnected(LndNi ni, Nid peer) {
        stack.disconnected(ni, peer);
    }

    @Override
    public void deviceEvent(LndNi ni, DeviceEvent event) {
        watch.device(life, ni, event);
        stack.deviceEvent(ni, event);
    }

    @Override
    public NetType type() {
        return inner().type();
    }

    @Override
    public NiBinding resolve(NiRequest request) {
        return inner().resolve(request);
    }

    @Override
    public void startup(LndNi ni) {
        inner().startup(ni);
    }

    @Override
    public void shutdown(LndNi ni) {
        inner().shutdown(ni);
    }

    @Override
    public int timeoutSeconds() {
        return inner().timeoutSeconds();
    }

    @Override
    public int messagesPer(MessageType type, int payload) {
        return inner().messagesPer(type, payload);
    }

    @Override
    public String deviceName(LndNi ni) {
        return inner().deviceName(ni);
    }

    @Override
    public void dropConnections(LndNi ni, Nid peer) {
        inner().dropConnections(ni, peer);
    }

    @Override
    public List<PeerConnections> connections(LndNi ni) {
        return inner().connections(ni);
    }

    @Override
    public Map<String, Integer> tunables(LndNi ni) {
        return inner().tunables(ni);
    }

    @Override
    public Map<String, Integer> wantedTunables(LndNi ni) {
        return inner().wantedTunables(ni);
    }

    @Override
    public void tune(LndNi ni, Map<String, Integer> changes) {
        inner().tune(ni, changes);
    }

    @Override
    public void close() {
        inner().close();
    }
}
