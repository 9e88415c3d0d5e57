package org.railyard.ibverbs;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.ibverbs.ffi.NativeVerbs;
import org.railyard.ibverbs.ffi.VerbsLayout;
import org.railyard.ibverbs.ffi.VerbsMemory;
import org.railyard.ibverbs.ffi.VerbsNumbers;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.CmEvent;
import org.railyard.verbs.CmId;
import org.railyard.verbs.CmListener;
import org.railyard.verbs.ConnectParameters;
import org.railyard.verbs.Cq;
import org.railyard.verbs.PathRecord;
import org.railyard.verbs.Pd;
import org.railyard.verbs.PortAttributes;
import org.railyard.verbs.PrivateData;
import org.railyard.verbs.Qp;
import org.railyard.verbs.QpCapabilities;
import org.railyard.verbs.VerbsException;

/** An end of a connection, which librdmacm and the kernel set up (spec 24 §4.2, §6). */
final class IbvCmId implements CmId {
    private static final System.Logger LOG = System.getLogger(IbvCmId.class.getName());
    private static final int BACKLOG = 1024;
    private static final long MILLI = 1_000_000L;
    private static final CmAddress NOWHERE = new CmAddress(0, 0);

    private final IbvLoop loop;
    private final NativeVerbs verbs;
    private final CmListener listener;
    private final long address;
    private @Nullable IbvQp qp;
    private @Nullable PathRecord path;
    private boolean asked;
    private boolean over;
    private boolean closed;

    /** Makes an end that knows nothing. */
    IbvCmId(IbvLoop loop, CmListener listener) {
        this.loop = loop;
        this.verbs = loop.provider().verbs();
        this.listener = listener;
        this.address = verbs.createId(loop.eventChannel());
        if (address == 0) {
            throw NativeVerbs.failed("no end of a connection can be made", NativeVerbs.errno());
        }
        loop.add(this);
    }

    /** Takes the end that a request has made. */
    private IbvCmId(IbvCmId listening, long address) {
        this.loop = listening.loop;
        this.verbs = listening.verbs;
        this.listener = listening.listener;
        this.address = address;
        loop.add(this);
    }

    IbvLoop loop() {
        return loop;
    }

    long address() {
        return address;
    }

    private void check() {
        loop.check(this);
        if (closed) {
            throw new VerbsException(VerbsException.Code.EINVAL, "this end of a connection was given back");
        }
    }

    private static void require(int errno, String what) {
        if (errno != 0) {
            throw NativeVerbs.failed(what, errno);
        }
    }

    @Override
    public void bind(CmAddress local, boolean reuse) {
        check();
        if (reuse) {
            require(verbs.setReuseAddress(address), "an address can not be shared");
        }
        int errno = verbs.bind(address, local.ip(), local.port());
        if (errno == VerbsNumbers.EACCES) {
            throw NativeVerbs.failed(
                    local + " needs CAP_NET_BIND_SERVICE, as every port below 1024; or set"
                            + " net.ipv4.ip_unprivileged_port_start",
                    errno);
        }
        require(errno, local + " can not be taken");
    }

    @Override
    public void listen() {
        check();
        require(verbs.listen(address, BACKLOG), "nobody can listen at " + localAddress());
    }

    private CmAddress socketAddress(int offset) {
        if (closed || VerbsMemory.getShort(address + offset) != VerbsNumbers.AF_INET) {
            return NOWHERE;
        }
        return new CmAddress(
                VerbsMemory.getNetInt(address + offset + VerbsLayout.SOCKADDR_ADDRESS),
                VerbsMemory.getNetShort(address + offset + VerbsLayout.SOCKADDR_PORT));
    }

    @Override
    public CmAddress localAddress() {
        return socketAddress(VerbsLayout.CM_ID_SOURCE);
    }

    @Override
    public CmAddress remoteAddress() {
        return socketAddress(VerbsLayout.CM_ID_DESTINATION);
    }

    private static int millis(long nanos) {
        return Math.clamp((nanos + MILLI - 1) / MILLI, 1, Integer.MAX_VALUE);
    }

    @Override
    public void resolveAddress(CmAddress destination, long timeoutNanos) {
        check();
        int errno = verbs.resolveAddress(address, destination.ip(), destination.port(), millis(timeoutNanos));
        if (errno == Errno.ENETUNREACH.number() || errno == Errno.EHOSTUNREACH.number()) {
            // That nobody can be reached there is an answer, though an early one.
            loop.execute(() -> tell(CmEvent.failed(CmEvent.Type.ADDRESS_ERROR, errno)));
            return;
        }
        require(errno, "no way to " + destination);
    }

    private void tell(CmEvent event) {
        if (!closed) {
            listener.onCmEvent(this, event);
        }
    }

    @Override
    public void resolveRoute(int typeOfService, long timeoutNanos) {
        check();
        if (typeOfService >= 0) {
            require(verbs.setTypeOfService(address, typeOfService), "type of service " + typeOfService);
        }
        require(verbs.resolveRoute(address, millis(timeoutNanos)), "no path to " + remoteAddress());
    }

    @Override
    public @Nullable IbvDevice device() {
        return closed ? null : loop.provider().device(VerbsMemory.getLong(address + VerbsLayout.CM_ID_VERBS));
    }

    @Override
    public int port() {
        return closed ? 0 : VerbsMemory.getByte(address + VerbsLayout.CM_ID_PORT);
    }

    @Override
    public @Nullable PathRecord path() {
        return path;
    }

    /** Reads the path, when it is known. On Ethernet its LIDs and its rate mean nothing. */
    private @Nullable PathRecord readPath() {
        IbvDevice device = device();
        long record = VerbsMemory.getLong(address + VerbsLayout.CM_ID_PATH_REC);
        if (device == null || record == 0 || VerbsMemory.getInt(address + VerbsLayout.CM_ID_NUM_PATHS) < 1) {
            return null;
        }
        PortAttributes at = device.port(port());
        boolean ethernet = at.layer() == PortAttributes.LinkLayer.ETHERNET;
        int selectorFree = 0x3F;
        long rate = ethernet ? 0 : PathRates.of(VerbsMemory.getByte(record + VerbsLayout.PATH_RATE) & selectorFree);
        return new PathRecord(
                ethernet ? 0 : VerbsMemory.getNetShort(record + VerbsLayout.PATH_SLID),
                ethernet ? 0 : VerbsMemory.getNetShort(record + VerbsLayout.PATH_DLID),
                VerbsMemory.getByte(record + VerbsLayout.PATH_SL) & 0xF,
                PortFacts.mtu(VerbsMemory.getByte(record + VerbsLayout.PATH_MTU) & selectorFree),
                rate == 0 ? at.linkRate() : rate);
    }

    @Override
    public Qp createQp(Pd pd, Cq cq, QpCapabilities capabilities) {
        check();
        IbvDevice device = device();
        if (device == null
                || qp != null
                || !(pd instanceof IbvPd ownPd)
                || !(cq instanceof IbvCq ownCq)
                || ownPd.device() != device
                || ownCq.device() != device
                || ownCq.loop() != loop
                || ownPd.isClosed()
                || ownCq.isClosed()) {
            throw new VerbsException(
                    VerbsException.Code.EINVAL,
                    "a queue pair needs a device that is known, no queue pair before it, and a protection domain, a"
                            + " completion queue and a loop of that device");
        }
        device.check(capabilities);
        try (Arena arena = Arena.ofConfined()) {
            long attributes =
                    VerbsMemory.structure(arena, VerbsLayout.QP_INIT_ATTR).address();
            VerbsMemory.putLong(attributes + VerbsLayout.QP_INIT_ATTR_SEND_CQ, ownCq.address());
            VerbsMemory.putLong(attributes + VerbsLayout.QP_INIT_ATTR_RECV_CQ, ownCq.address());
            VerbsMemory.putInt(attributes + VerbsLayout.QP_INIT_ATTR_SENDS, capabilities.sends());
            VerbsMemory.putInt(attributes + VerbsLayout.QP_INIT_ATTR_RECEIVES, capabilities.receives());
            VerbsMemory.putInt(attributes + VerbsLayout.QP_INIT_ATTR_SEND_SGE, capabilities.gather());
            VerbsMemory.putInt(attributes + VerbsLayout.QP_INIT_ATTR_RECEIVE_SGE, 1);
            VerbsMemory.putInt(attributes + VerbsLayout.QP_INIT_ATTR_TYPE, VerbsNumbers.QP_TYPE_RC);
            int errno = verbs.createQp(address, ownPd.address(), attributes);
            require(
                    errno,
                    device + " does not make a queue pair of " + capabilities.sends() + " sends and "
                            + capabilities.receives() + " receives; it has "
                            + device.attributes().maxQp() + " for all programs together"
                            + MemoryLimit.hint(errno, 0));
        }
        IbvQp made = new IbvQp(
                this,
                ownPd,
                ownCq,
                capabilities,
                VerbsMemory.getLong(address + VerbsLayout.CM_ID_QP),
                loop.provider().nextSerial());
        qp = made;
        return made;
    }

    /** Calls with a structure {@code rdma_conn_param}. */
    private void withParameters(ConnectParameters parameters, MemorySegment data, int limit, LongConsumer call) {
        check();
        if (data.byteSize() > limit) {
            throw new VerbsException(
                    VerbsException.Code.EINVAL, data.byteSize() + " bytes of private data, at most " + limit + " fit");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment structure = VerbsMemory.structure(arena, VerbsLayout.CONN_PARAM);
            MemorySegment bytes = arena.allocate(Math.max(1, data.byteSize()));
            MemorySegment.copy(data, 0, bytes, 0, data.byteSize());
            long at = structure.address();
            VerbsMemory.putLong(at, bytes.address());
            VerbsMemory.putByte(at + VerbsLayout.CONN_PARAM_LENGTH, (int) data.byteSize());
            VerbsMemory.putByte(at + VerbsLayout.CONN_PARAM_FLOW_CONTROL, 1);
            VerbsMemory.putByte(at + VerbsLayout.CONN_PARAM_RETRY, parameters.retryCount());
            VerbsMemory.putByte(at + VerbsLayout.CONN_PARAM_RNR_RETRY, parameters.rnrRetryCount());
            call.accept(at);
        }
    }

    @Override
    public void connect(ConnectParameters parameters, MemorySegment privateData) {
        loop.provider().noteMtu(parameters.maxMtu());
        withParameters(parameters, privateData, PrivateData.REQUEST_BYTES, at -> {
            asked = true;
            require(verbs.connect(address, at), "no request to " + remoteAddress());
        });
    }

    @Override
    public void accept(ConnectParameters parameters, MemorySegment privateData) {
        withParameters(parameters, privateData, PrivateData.REPLY_BYTES, at -> {
            require(verbs.accept(address, at), "the request of " + remoteAddress() + " can not be accepted");
            IbvQp mine = qp;
            if (mine != null) {
                mine.setState(Qp.State.READY_TO_RECEIVE);
            }
        });
    }

    @Override
    public void reject(MemorySegment privateData) {
        withParameters(
                ConnectParameters.DEFAULT,
                privateData,
                PrivateData.REJECT_BYTES,
                at -> require(
                        verbs.reject(
                                address,
                                VerbsMemory.getLong(at),
                                VerbsMemory.getByte(at + VerbsLayout.CONN_PARAM_LENGTH)),
                        "the request of " + remoteAddress() + " can not be turned down"));
    }

    @Override
    public void communicationEstablished() {
        check();
        // Refused when that is known.
        verbs.communicationEstablished(address);
    }

    @Override
    public void disconnect() {
        check();
        IbvQp mine = qp;
        if (over || mine == null || mine.state() == Qp.State.INIT) {
            return;
        }
        over = true;
        mine.setState(Qp.State.ERROR);
        int errno = verbs.disconnect(address);
        if (errno != 0) {
            mine.lose();
            LOG.log(System.Logger.Level.DEBUG, "{0}: disconnecting gave errno {1}", this, errno);
        }
    }

    /** An event, which was acknowledged. */
    void happened(NativeCmEvent event) {
        if (closed) {
            return;
        }
        CmEvent.Type type = event.meaning();
        if (type == null) {
            LOG.log(System.Logger.Level.DEBUG, "{0}: event {1} of librdmacm", this, event.type());
            return;
        }
        IbvQp mine = qp;
        IbvCmId request = null;
        switch (type) {
            case ROUTE_RESOLVED -> {
                try {
                    path = readPath();
                } catch (VerbsException e) {
                    // Whoever waits for the path has to hear something.
                    LOG.log(System.Logger.Level.WARNING, "{0}: its path can not be read: {1}", this, e.getMessage());
                    tell(CmEvent.failed(CmEvent.Type.ROUTE_ERROR, Errno.EIO.number()));
                    return;
                }
            }
            case CONNECT_REQUEST -> request = new IbvCmId(this, event.id());
            case ESTABLISHED -> {
                if (mine != null) {
                    mine.setState(Qp.State.READY_TO_SEND);
                }
            }
            case DISCONNECTED -> answerDisconnect(mine);
            case DEVICE_REMOVED -> loop.provider().removed(device());
            default -> {
                // Nothing to be done before the user hears it.
            }
        }
        listener.onCmEvent(this, new CmEvent(type, event.reason(), privateData(type, event), request));
    }

    /** The library does not touch the queue pair when the peer ends the connection. */
    private void answerDisconnect(@Nullable IbvQp mine) {
        if (!over && mine != null) {
            over = true;
            if (verbs.disconnect(address) != 0) {
                mine.lose();
            }
            mine.setState(Qp.State.ERROR);
        }
        over = true;
    }

    private MemorySegment privateData(CmEvent.Type type, NativeCmEvent event) {
        int bytes = switch (type) {
            case CONNECT_REQUEST -> PrivateData.REQUEST_BYTES;
            case ESTABLISHED -> asked ? PrivateData.REPLY_BYTES : 0;
            case REJECTED -> PrivateData.REJECT_BYTES;
            default -> 0;
        };
        return bytes == 0
                ? MemorySegment.NULL
                : MemorySegment.ofArray(Arrays.copyOf(event.privateData(), bytes))
                        .asReadOnly();
    }

    @Override
    public void close() {
        if (!closed) {
            loop.check(this);
            releaseQp();
            release();
        }
    }

    /** Gives the queue pair back, if there is one. */
    void releaseQp() {
        IbvQp mine = qp;
        if (mine != null) {
            mine.close();
        }
    }

    /** Gives the end back, when its queue pair is gone. */
    void release() {
        if (closed) {
            return;
        }
        closed = true;
        loop.forget(this);
        int errno = verbs.destroyId(address);
        if (errno != 0) {
            LOG.log(System.Logger.Level.DEBUG, "an end of a connection was given back with errno {0}", errno);
        }
    }

    @Override
    public String toString() {
        return "end of a connection in " + loop;
    }
}
