package org.railyard.o2iblnd.device;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.bond.Ipv4;
import org.railyard.o2iblnd.bond.MemberState;
import org.railyard.o2iblnd.bond.MemberView;
import org.railyard.o2iblnd.cm.CmListenPoint;
import org.railyard.o2iblnd.cm.CmListenPoints;
import org.railyard.o2iblnd.cm.ConnectPeer;
import org.railyard.o2iblnd.cm.ListeningInterface;
import org.railyard.o2iblnd.connection.IbConn;
import org.railyard.o2iblnd.ni.NiContext;
import org.railyard.o2iblnd.transfer.Card;
import org.railyard.o2iblnd.tune.O2ibTunable;
import org.railyard.verbs.AsyncEvent;
import org.railyard.verbs.AsyncListener;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.CmId;
import org.railyard.verbs.VerbsDevice;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.VerbsInterface;

/** An interface of an NI: an ordinary NI has one, a group several (spec 21 cb-004). Belongs to the loop. */
public final class Member implements ListeningInterface {
    /** The rate of a link is told in units of 0.1 Mb/s. */
    static final int UNITS_PER_GIGABIT = 10_000;

    private final InterfaceGroup group;
    private final NiContext ni;
    private final VerbsInterface itf;
    private final CmListenPoints listenPoints;
    private final Map<CmId, IbConn> accepted = new LinkedHashMap<>();
    private final AsyncListener asyncListener = this::onAsyncEvent;
    private @Nullable Card card;
    private @Nullable CmListenPoint listenPoint;
    private MemberState state = MemberState.PORT_DOWN;
    private long bestRate;

    Member(InterfaceGroup group, NiContext ni, VerbsInterface itf, CmListenPoints listenPoints) {
        this.group = group;
        this.ni = ni;
        this.listenPoints = listenPoints;
        this.itf = itf;
    }

    /** Listens for events of its device from now on, and reads the state of its port. */
    void attach() {
        itf.device().listen(ni.loop(), asyncListener);
        look();
    }

    /**
     * Opens the device and listens; no effect if that is done.
     *
     * @throws VerbsException if it can not be done now
     */
    void open() {
        if (listenPoint != null) {
            return;
        }
        Card made = card;
        if (made == null) {
            try {
                made = new Card(itf.device(), ni.tunables());
            } catch (VerbsException e) {
                state = MemberState.FATAL;
                throw e;
            }
            card = made;
        }
        listenPoint = listenPoints.enter(this, new CmAddress(itf.ip(), ni.tunable(O2ibTunable.SERVICE)));
    }

    boolean isOpen() {
        return listenPoint != null;
    }

    @Override
    public NiContext ni() {
        return ni;
    }

    /** Returns the name of the interface. */
    public String name() {
        return itf.name();
    }

    /** Returns the IPv4 address of the interface. */
    public int ip() {
        return itf.ip();
    }

    /** Returns whether it carries connections, and why not. */
    public MemberState state() {
        return state;
    }

    /** Tells whether traffic may use it. */
    public boolean isUsable() {
        return state.isUsable() && listenPoint != null;
    }

    /** Returns the rate of its link, in units of 0.1 Mb/s. */
    public long linkRate() {
        return itf.device().port(itf.port()).linkRate();
    }

    /**
     * Returns the device as it is used.
     *
     * @throws VerbsException ENODEV if it is not open
     */
    public Card card() {
        Card open = card;
        if (open == null) {
            throw new VerbsException(VerbsException.Code.ENODEV, itf.name() + " could not be opened");
        }
        return open;
    }

    @Override
    public void accepted(IbConn conn) {
        accepted.put(conn.id(), conn);
    }

    @Override
    public @Nullable ConnectPeer peer(Nid nid, int remoteIp) {
        return group.peer(this, nid, remoteIp);
    }

    @Override
    public List<Integer> addresses() {
        return group.members().stream().map(Member::ip).toList();
    }

    @Override
    public @Nullable IbConn acceptedAt(CmId id) {
        return accepted.get(id);
    }

    /** Takes out a connection identifier that has ended. */
    public void forget(CmId id) {
        accepted.remove(id);
    }

    private void onAsyncEvent(VerbsDevice device, AsyncEvent event) {
        if (ni.isStopped() || event.port() != 0 && event.port() != itf.port()) {
            return;
        }
        switch (event.type()) {
            case DEVICE_FATAL, DEVICE_REMOVED, PORT_ERROR, PORT_ACTIVE -> changed(event.type());
            case PATHS_CHANGED -> group.pathsChanged(this);
            case QP_COMMUNICATION_ESTABLISHED -> {
                for (IbConn conn : List.copyOf(accepted.values())) {
                    if (conn.qpNumber() == event.qpNumber()) {
                        conn.id().communicationEstablished();
                    }
                }
            }
            case QP_FATAL, CQ_ERROR -> ni.warn(device.name() + ": " + event.type());
        }
    }

    private void changed(AsyncEvent.Type event) {
        MemberState before = state;
        boolean wasUsable = isUsable();
        if (event == AsyncEvent.Type.DEVICE_FATAL || event == AsyncEvent.Type.DEVICE_REMOVED) {
            // A broken device is not asked for its port: it may not answer.
            state = MemberState.FATAL;
        } else {
            bestRate = Math.max(bestRate, linkRate());
            state = state.after(
                    event, itf.device().port(itf.port()), expectedRate(), ni.tunable(O2ibTunable.FATAL_IS_STICKY) != 0);
        }
        if (state.isUsable() && listenPoint == null) {
            try {
                open();
            } catch (VerbsException e) {
                ni.warn(itf.name() + " can not be used yet: " + e.getMessage());
            }
        }
        group.changed(this, before, wasUsable);
        if (event == AsyncEvent.Type.DEVICE_REMOVED) {
            // The kernel lets a device go when all of it was given back.
            group.end(this);
            release();
        }
    }

    private void look() {
        bestRate = Math.max(bestRate, linkRate());
        state = MemberState.of(itf.device().port(itf.port()), expectedRate());
    }

    /** Tells whether it works at its full rate. */
    boolean isWhole() {
        return state == MemberState.PORT_ACTIVE && listenPoint != null;
    }

    /** Returns what the link should have: what is configured, or else the best that it has had (spec 20 §16). */
    private long expectedRate() {
        long configured = (long) ni.tunable(O2ibTunable.EXPECTED_LINK) * UNITS_PER_GIGABIT;
        return configured > 0 ? configured : bestRate;
    }

    /** Returns what there is to be seen of it. */
    public MemberView view() {
        return new MemberView(
                itf.name(),
                itf.ip(),
                ni.context().prefixLength(itf.ip()),
                itf.device().name(),
                itf.device().attributes(),
                itf.port(),
                itf.device().port(itf.port()),
                expectedRate(),
                state,
                Card.registration(itf.device(), ni.tunables()).text());
    }

    /** Ends listening; its connections must be closed. */
    void detach() {
        itf.device().unlisten(asyncListener);
        release();
    }

    private void release() {
        CmListenPoint left = listenPoint;
        if (left != null) {
            listenPoint = null;
            listenPoints.leave(left, this);
        }
        Card open = card;
        if (open != null) {
            card = null;
            open.close();
        }
    }

    @Override
    public String toString() {
        return itf.name() + " (" + Ipv4.text(itf.ip()) + ")";
    }
}
