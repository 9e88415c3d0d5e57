package org.railyard.ibverbs.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import org.jspecify.annotations.Nullable;
import org.railyard.verbs.VerbsException;

/**
 * The functions of libibverbs, librdmacm and the C library that are used (spec 23 §4.2, spec 24 §4.2). Objects are
 * their addresses. A result that is called an errno is 0, or a positive number of the system. The libraries are loaded
 * when they are asked for the first time, and never given back. Thread-safe.
 */
public final class NativeVerbs {
    /** The library of devices and queues. */
    public static final String VERBS_FILE = "libibverbs.so.1";

    /** The library of connections. */
    public static final String CM_FILE = "librdmacm.so.1";

    /** Bytes that {@link #scratch} gives. */
    public static final int SCRATCH = 512;

    private static final int NO_DEVICE = 19;

    private static final ThreadLocal<MemorySegment> SCRATCHES =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(SCRATCH, Long.BYTES));

    private static @Nullable NativeVerbs loaded;

    private final SymbolLookup symbols;
    private final MemorySegment poll;
    private final MemorySegment fcntl;
    private final MemorySegment eventfd;
    private final MemorySegment read;
    private final MemorySegment write;
    private final MemorySegment close;
    private final MemorySegment createEventChannel;
    private final MemorySegment destroyEventChannel;
    private final MemorySegment getDevices;
    private final MemorySegment createId;
    private final MemorySegment destroyId;
    private final MemorySegment bindAddress;
    private final MemorySegment listen;
    private final MemorySegment resolveAddress;
    private final MemorySegment resolveRoute;
    private final MemorySegment createQp;
    private final MemorySegment destroyQp;
    private final MemorySegment connect;
    private final MemorySegment accept;
    private final MemorySegment reject;
    private final MemorySegment disconnect;
    private final MemorySegment tell;
    private final MemorySegment getCmEvent;
    private final MemorySegment ackCmEvent;
    private final MemorySegment setOption;
    private final MemorySegment queryDevice;
    private final MemorySegment queryPort;
    private final MemorySegment queryGid;
    private final MemorySegment allocatePd;
    private final MemorySegment deallocatePd;
    private final MemorySegment registerMemory;
    private final MemorySegment deregisterMemory;
    private final MemorySegment createCompChannel;
    private final MemorySegment destroyCompChannel;
    private final MemorySegment createCq;
    private final MemorySegment destroyCq;
    private final MemorySegment getCqEvent;
    private final MemorySegment ackCqEvents;
    private final MemorySegment modifyQp;
    private final MemorySegment getAsyncEvent;
    private final MemorySegment ackAsyncEvent;
    private final MemorySegment getDeviceList;
    private final MemorySegment freeDeviceList;

    /** Takes functions by their C names: from libraries, or from what stands in for them. */
    public NativeVerbs(SymbolLookup symbols) {
        this.symbols = symbols;
        poll = function("poll");
        fcntl = function("fcntl");
        eventfd = function("eventfd");
        read = function("read");
        write = function("write");
        close = function("close");
        createEventChannel = function("rdma_create_event_channel");
        destroyEventChannel = function("rdma_destroy_event_channel");
        getDevices = function("rdma_get_devices");
        createId = function("rdma_create_id");
        destroyId = function("rdma_destroy_id");
        bindAddress = function("rdma_bind_addr");
        listen = function("rdma_listen");
        resolveAddress = function("rdma_resolve_addr");
        resolveRoute = function("rdma_resolve_route");
        createQp = function("rdma_create_qp");
        destroyQp = function("rdma_destroy_qp");
        connect = function("rdma_connect");
        accept = function("rdma_accept");
        reject = function("rdma_reject");
        disconnect = function("rdma_disconnect");
        tell = function("rdma_notify");
        getCmEvent = function("rdma_get_cm_event");
        ackCmEvent = function("rdma_ack_cm_event");
        setOption = function("rdma_set_option");
        queryDevice = function("ibv_query_device");
        queryPort = function("ibv_query_port");
        queryGid = function("ibv_query_gid");
        allocatePd = function("ibv_alloc_pd");
        deallocatePd = function("ibv_dealloc_pd");
        registerMemory = function("ibv_reg_mr");
        deregisterMemory = function("ibv_dereg_mr");
        createCompChannel = function("ibv_create_comp_channel");
        destroyCompChannel = function("ibv_destroy_comp_channel");
        createCq = function("ibv_create_cq");
        destroyCq = function("ibv_destroy_cq");
        getCqEvent = function("ibv_get_cq_event");
        ackCqEvents = function("ibv_ack_cq_events");
        modifyQp = function("ibv_modify_qp");
        getAsyncEvent = function("ibv_get_async_event");
        ackAsyncEvent = function("ibv_ack_async_event");
        getDeviceList = function("ibv_get_device_list");
        freeDeviceList = function("ibv_free_device_list");
    }

    /**
     * Returns the libraries of the system.
     *
     * @throws VerbsException ENODEV if one is not installed, EOPNOTSUPP if the machine or a library is not one that is
     *     known; the message says what to do
     */
    public static synchronized NativeVerbs load() {
        NativeVerbs known = loaded;
        if (known == null) {
            Platform.check(System.getProperty("os.name"), System.getProperty("os.arch"));
            known = new NativeVerbs(library(VERBS_FILE)
                    .or(library(CM_FILE))
                    .or(Linker.nativeLinker().defaultLookup()));
            loaded = known;
        }
        return known;
    }

    @SuppressWarnings("restricted") // Libraries are what this class is for.
    static SymbolLookup library(String file) {
        try {
            return SymbolLookup.libraryLookup(file, Arena.global());
        } catch (IllegalArgumentException e) {
            throw new VerbsException(
                    VerbsException.Code.ENODEV,
                    file + " is not installed (Debian: libibverbs1 librdmacm1 ibverbs-providers; RHEL: rdma-core)");
        } catch (IllegalCallerException e) {
            throw new VerbsException(
                    VerbsException.Code.EPERM,
                    "the JVM does not let it call " + file + "; start java with"
                            + " --enable-native-access=org.railyard.ibverbs, ALL-UNNAMED on a class path");
        }
    }

    private MemorySegment function(String name) {
        return symbols.find(name)
                .orElseThrow(() -> new VerbsException(
                        VerbsException.Code.EOPNOTSUPP,
                        VERBS_FILE + " and " + CM_FILE + " have no function " + name
                                + ": rdma-core 44 or later is needed"));
    }

    /** Returns memory of this thread for arguments and results of one call, {@link #SCRATCH} bytes of zeros. */
    public static long scratch() {
        MemorySegment own = SCRATCHES.get();
        own.fill((byte) 0);
        return own.address();
    }

    /** Returns errno of this thread's last call that gives none by itself. */
    public static int errno() {
        return NativeCall.errno();
    }

    private static int outcome(long result) {
        return (int) result == 0 ? 0 : NativeCall.errno();
    }

    /**
     * Waits until a file descriptor is ready.
     *
     * @param fds structures {@code pollfd}
     * @param millis longest time; −1 without limit
     * @return how many are ready, or negative
     */
    public int poll(long fds, int count, int millis) {
        return (int) NativeCall.call(poll, fds, count, millis);
    }

    /** Makes reads of a file descriptor return at once when there is nothing; returns an errno. */
    public int setNonBlocking(int fd) {
        int flags = (int) NativeCall.call(fcntl, fd, VerbsNumbers.F_GETFL, 0);
        if (flags < 0) {
            return NativeCall.errno();
        }
        return outcome(NativeCall.call(fcntl, fd, VerbsNumbers.F_SETFL, flags | VerbsNumbers.O_NONBLOCK));
    }

    /** Makes a counter that other threads wake a loop with; negative if there is none. */
    public int createEventFd() {
        return (int) NativeCall.call(eventfd, 0, VerbsNumbers.O_NONBLOCK | VerbsNumbers.O_CLOEXEC);
    }

    /** Adds one to a counter. */
    public void signal(int fd) {
        long one = scratch();
        VerbsMemory.putLong(one, 1);
        // Fails only when the counter is full, and then the loop is awake anyway.
        NativeCall.call(write, fd, one, Long.BYTES);
    }

    /** Sets a counter back to zero. */
    public void drain(int fd) {
        NativeCall.call(read, fd, scratch(), Long.BYTES);
    }

    /** Closes a file descriptor. */
    public void close(int fd) {
        NativeCall.call(close, fd);
    }

    /** Makes a channel for the events of connections; 0 with {@link #errno} if there is none. */
    public long createEventChannel() {
        return NativeCall.call(createEventChannel);
    }

    /** Gives a channel back. */
    public void destroyEventChannel(long channel) {
        NativeCall.call(destroyEventChannel, channel);
    }

    /**
     * Returns the devices that librdmacm has opened, which stay open to the end of the process; 0 with {@link #errno}
     * if there are none.
     *
     * @param count where to put how many, int
     */
    public long getDevices(long count) {
        return NativeCall.call(getDevices, count);
    }

    /** Tells whether the kernel has verbs for programs at all; if not, {@link #errno} says why. */
    public boolean hasKernelSupport() {
        long list = NativeCall.call(getDeviceList, 0);
        if (list == 0) {
            return false;
        }
        NativeCall.call(freeDeviceList, list);
        return true;
    }

    /** Makes an end of a connection; 0 with {@link #errno} if there is none. */
    public long createId(long channel) {
        long result = scratch();
        return (int) NativeCall.call(createId, channel, result, 0, VerbsNumbers.PORT_SPACE_TCP) == 0
                ? VerbsMemory.getLong(result)
                : 0;
    }

    /** Gives an end back; all its events have to be acknowledged. */
    public int destroyId(long id) {
        return outcome(NativeCall.call(destroyId, id));
    }

    /** Takes an address; returns an errno. */
    public int bind(long id, int ip, int port) {
        return outcome(NativeCall.call(bindAddress, id, socketAddress(ip, port)));
    }

    private static long socketAddress(int ip, int port) {
        long address = scratch();
        VerbsMemory.putShort(address, VerbsNumbers.AF_INET);
        VerbsMemory.putNetShort(address + VerbsLayout.SOCKADDR_PORT, port);
        VerbsMemory.putNetInt(address + VerbsLayout.SOCKADDR_ADDRESS, ip);
        return address;
    }

    /** Lets an address be taken that is in use; returns an errno. */
    public int setReuseAddress(long id) {
        long one = scratch();
        VerbsMemory.putInt(one, 1);
        return outcome(NativeCall.call(
                setOption, id, VerbsNumbers.OPTION_LEVEL_ID, VerbsNumbers.OPTION_REUSE_ADDRESS, one, Integer.BYTES));
    }

    /** Sets the type of service, 0…255; returns an errno. */
    public int setTypeOfService(long id, int type) {
        long value = scratch();
        VerbsMemory.putByte(value, type);
        return outcome(NativeCall.call(setOption, id, VerbsNumbers.OPTION_LEVEL_ID, VerbsNumbers.OPTION_TOS, value, 1));
    }

    /** Waits for requests; returns an errno. */
    public int listen(long id, int backlog) {
        return outcome(NativeCall.call(listen, id, backlog));
    }

    /** Looks for a peer; returns an errno. */
    public int resolveAddress(long id, int ip, int port, int millis) {
        return outcome(NativeCall.call(resolveAddress, id, 0, socketAddress(ip, port), millis));
    }

    /** Looks for a path; returns an errno. */
    public int resolveRoute(long id, int millis) {
        return outcome(NativeCall.call(resolveRoute, id, millis));
    }

    /** Makes the queue pair of an end, by a structure {@code ibv_qp_init_attr}; returns an errno. */
    public int createQp(long id, long pd, long attributes) {
        return outcome(NativeCall.call(createQp, id, pd, attributes));
    }

    /** Gives the queue pair of an end back. */
    public void destroyQp(long id) {
        NativeCall.call(destroyQp, id);
    }

    /** Asks for a connection, by a structure {@code rdma_conn_param}; returns an errno. */
    public int connect(long id, long parameters) {
        return outcome(NativeCall.call(connect, id, parameters));
    }

    /** Accepts a request, by a structure {@code rdma_conn_param}; returns an errno. */
    public int accept(long id, long parameters) {
        return outcome(NativeCall.call(accept, id, parameters));
    }

    /** Turns a request down; returns an errno. */
    public int reject(long id, long privateData, int length) {
        return outcome(NativeCall.call(reject, id, privateData, length));
    }

    /** Puts the queue pair in error and tells the peer; returns an errno. */
    public int disconnect(long id) {
        return outcome(NativeCall.call(disconnect, id));
    }

    /** Tells that a message came, so that the connection is up; returns an errno. */
    public int communicationEstablished(long id) {
        return outcome(NativeCall.call(tell, id, VerbsNumbers.ASYNC_COMMUNICATION_ESTABLISHED));
    }

    /** Takes the next event of connections; 0 if there is none. */
    public long nextCmEvent(long channel) {
        long result = scratch();
        return (int) NativeCall.call(getCmEvent, channel, result) == 0 ? VerbsMemory.getLong(result) : 0;
    }

    /** Gives an event back. */
    public void acknowledge(long event) {
        NativeCall.call(ackCmEvent, event);
    }

    /** Fills a structure {@code ibv_device_attr}; returns an errno. */
    public int queryDevice(long context, long into) {
        return (int) NativeCall.call(queryDevice, context, into);
    }

    /** Fills a structure {@code ibv_port_attr}; returns an errno. */
    public int queryPort(long context, int port, long into) {
        return (int) NativeCall.call(queryPort, context, port, into);
    }

    /** Fills a GID; returns an errno. */
    public int queryGid(long context, int port, int index, long into) {
        return outcome(NativeCall.call(queryGid, context, port, index, into));
    }

    /** Makes a protection domain; 0 with {@link #errno} if there is none. */
    public long allocatePd(long context) {
        return NativeCall.call(allocatePd, context);
    }

    /** Gives a protection domain back; returns an errno. */
    public int deallocatePd(long pd) {
        return (int) NativeCall.call(deallocatePd, pd);
    }

    /** Registers memory; 0 with {@link #errno} if it can not be. */
    public long registerMemory(long pd, long address, long length, int rights) {
        return NativeCall.call(registerMemory, pd, address, length, rights);
    }

    /** Takes a registration back; returns an errno. */
    public int deregisterMemory(long region) {
        return (int) NativeCall.call(deregisterMemory, region);
    }

    /** Tells whether a device has functions for memory windows. */
    public static boolean hasWindows(long context) {
        return VerbsMemory.getLong(context + VerbsLayout.CONTEXT_ALLOC_MW) != 0
                && VerbsMemory.getLong(context + VerbsLayout.CONTEXT_DEALLOC_MW) != 0;
    }

    /** Makes a memory window of type 2; 0 with {@link #errno} if there is none. The device {@link #hasWindows}. */
    public long allocateWindow(long context, long pd) {
        return NativeCall.call(windowFunction(context, VerbsLayout.CONTEXT_ALLOC_MW), pd, VerbsNumbers.MW_TYPE_2);
    }

    /** Gives a memory window back, which ends its binding; returns an errno. */
    public int deallocateWindow(long context, long window) {
        return (int) NativeCall.call(windowFunction(context, VerbsLayout.CONTEXT_DEALLOC_MW), window);
    }

    private static MemorySegment windowFunction(long context, int offset) {
        return MemorySegment.ofAddress(operation(context, offset));
    }

    /** Makes a channel for notices of completions; 0 with {@link #errno} if there is none. */
    public long createCompChannel(long context) {
        return NativeCall.call(createCompChannel, context);
    }

    /** Gives a channel back; returns an errno. */
    public int destroyCompChannel(long channel) {
        return (int) NativeCall.call(destroyCompChannel, channel);
    }

    /** Makes a completion queue; 0 with {@link #errno} if there is none. */
    public long createCq(long context, int entries, long cookie, long channel) {
        return NativeCall.call(createCq, context, entries, cookie, channel, 0);
    }

    /** Gives a completion queue back; all its notices have to be acknowledged. Returns an errno. */
    public int destroyCq(long cq) {
        return (int) NativeCall.call(destroyCq, cq);
    }

    /** Takes the next notice of completions, and acknowledges it; returns its cookie, 0 if there is none. */
    public long nextCqEvent(long channel) {
        long result = scratch();
        long cookie = result + Long.BYTES;
        if ((int) NativeCall.call(getCqEvent, channel, result, cookie) != 0) {
            return 0;
        }
        long found = VerbsMemory.getLong(cookie);
        NativeCall.call(ackCqEvents, VerbsMemory.getLong(result), 1);
        return found;
    }

    /** Puts a queue pair in error; returns an errno. */
    public int modifyToError(long qp) {
        long attributes = scratch();
        VerbsMemory.putInt(attributes, VerbsNumbers.QP_STATE_ERROR);
        return (int) NativeCall.call(modifyQp, qp, attributes, VerbsNumbers.QP_STATE_MASK);
    }

    /** Fills a structure {@code ibv_async_event} with what happened next to a device; false if nothing did. */
    public boolean nextAsyncEvent(long context, long into) {
        return (int) NativeCall.call(getAsyncEvent, context, into) == 0;
    }

    /** Gives an event of a device back. */
    public void acknowledgeAsync(long event) {
        NativeCall.call(ackAsyncEvent, event);
    }

    /**
     * Returns the address of a function that a device has for its fast path, by its offset in the context.
     *
     * @throws VerbsException ENODEV if there is none
     */
    public static long operation(long context, int offset) {
        long address = VerbsMemory.getLong(context + offset);
        if (address == 0) {
            throw failed("a device without a function at " + offset + " can not be used", NO_DEVICE);
        }
        return address;
    }

    /** Posts send requests; returns an errno. */
    public static int postSend(long function, long qp, long requests, long bad) {
        return NativeCall.fast(function, qp, requests, bad);
    }

    /** Posts receives; returns an errno. */
    public static int postReceive(long function, long qp, long requests, long bad) {
        return NativeCall.fast(function, qp, requests, bad);
    }

    /** Takes completions off a queue; returns how many, or a negative number. */
    public static int pollCq(long function, long cq, int count, long into) {
        return NativeCall.fast(function, cq, count, into);
    }

    /** Asks for a notice of the next completion; returns an errno. */
    public static int requestNotify(long function, long cq) {
        return NativeCall.fast(function, cq, 0);
    }

    /** Makes an exception of an errno (spec 24 §9.2). */
    public static VerbsException failed(String what, int errno) {
        return NativeErrors.exception(what, errno);
    }
}
