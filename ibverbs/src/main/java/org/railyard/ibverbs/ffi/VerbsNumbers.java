package org.railyard.ibverbs.ffi;

/** Numbers of libibverbs, librdmacm and the kernel that are used; {@link VerbsLayout} has sizes and offsets. */
public final class VerbsNumbers {
    /** {@code IBV_EVENT_CQ_ERR}: a completion queue overran. */
    public static final int ASYNC_CQ_ERROR = 0;

    /** {@code IBV_EVENT_QP_FATAL}: a queue pair broke. */
    public static final int ASYNC_QP_FATAL = 1;

    /** {@code IBV_EVENT_QP_REQ_ERR}: a queue pair had a request that is not allowed. */
    public static final int ASYNC_QP_REQUEST_ERROR = 2;

    /** {@code IBV_EVENT_QP_ACCESS_ERR}: a queue pair had an access that is not allowed. */
    public static final int ASYNC_QP_ACCESS_ERROR = 3;

    /** {@code IBV_EVENT_COMM_EST}: the first message came before the peer said that it is ready. */
    public static final int ASYNC_COMMUNICATION_ESTABLISHED = 4;

    /** {@code IBV_EVENT_PATH_MIG_ERR}: the last of the events of queue pairs. */
    public static final int ASYNC_PATH_MIGRATION_ERROR = 7;

    /** {@code IBV_EVENT_DEVICE_FATAL}: the device broke. */
    public static final int ASYNC_DEVICE_FATAL = 8;

    /** {@code IBV_EVENT_PORT_ACTIVE}: a port carries data. */
    public static final int ASYNC_PORT_ACTIVE = 9;

    /** {@code IBV_EVENT_PORT_ERR}: a port carries no data any more. */
    public static final int ASYNC_PORT_ERROR = 10;

    /** {@code IBV_EVENT_LID_CHANGE}: a port has another LID. */
    public static final int ASYNC_LID_CHANGE = 11;

    /** {@code IBV_EVENT_PKEY_CHANGE}: a port has other partitions. */
    public static final int ASYNC_PKEY_CHANGE = 12;

    /** {@code IBV_EVENT_SM_CHANGE}: another subnet manager is master. */
    public static final int ASYNC_SM_CHANGE = 13;

    /** {@code IBV_EVENT_QP_LAST_WQE_REACHED}: a queue pair has taken its last receive. */
    public static final int ASYNC_LAST_REQUEST_REACHED = 16;

    /** {@code IBV_EVENT_CLIENT_REREGISTER}: the subnet manager wants subscriptions anew. */
    public static final int ASYNC_CLIENT_REREGISTER = 17;

    /** {@code IBV_EVENT_GID_CHANGE}: a port has other GIDs. */
    public static final int ASYNC_GID_CHANGE = 18;

    /** {@code IBV_EVENT_DEVICE_SPEED_CHANGE}: a port has another speed; later than rdma-core 44. */
    public static final int ASYNC_SPEED_CHANGE = 20;

    /** {@code RDMA_CM_EVENT_ADDR_RESOLVED}: the peer was found. */
    public static final int CM_ADDRESS_RESOLVED = 0;

    /** {@code RDMA_CM_EVENT_ADDR_ERROR}: the peer was not found. */
    public static final int CM_ADDRESS_ERROR = 1;

    /** {@code RDMA_CM_EVENT_ROUTE_RESOLVED}: a path is known. */
    public static final int CM_ROUTE_RESOLVED = 2;

    /** {@code RDMA_CM_EVENT_ROUTE_ERROR}: there is no path. */
    public static final int CM_ROUTE_ERROR = 3;

    /** {@code RDMA_CM_EVENT_CONNECT_REQUEST}: a peer asks. */
    public static final int CM_CONNECT_REQUEST = 4;

    /** {@code RDMA_CM_EVENT_CONNECT_ERROR}: the attempt failed. */
    public static final int CM_CONNECT_ERROR = 6;

    /** {@code RDMA_CM_EVENT_UNREACHABLE}: the peer does not answer. */
    public static final int CM_UNREACHABLE = 7;

    /** {@code RDMA_CM_EVENT_REJECTED}: the peer turned the request down. */
    public static final int CM_REJECTED = 8;

    /** {@code RDMA_CM_EVENT_ESTABLISHED}: the connection is up. */
    public static final int CM_ESTABLISHED = 9;

    /** {@code RDMA_CM_EVENT_DISCONNECTED}: the connection ends. */
    public static final int CM_DISCONNECTED = 10;

    /** {@code RDMA_CM_EVENT_DEVICE_REMOVAL}: the device was taken away. */
    public static final int CM_DEVICE_REMOVAL = 11;

    /** {@code RDMA_CM_EVENT_TIMEWAIT_EXIT}: nothing of the connection is on its way any more. */
    public static final int CM_TIMEWAIT_EXIT = 15;

    /** {@code RDMA_PS_TCP}: service ids as ports of TCP. */
    public static final int PORT_SPACE_TCP = 0x0106;

    /** {@code RDMA_OPTION_ID}: level of options of an end. */
    public static final int OPTION_LEVEL_ID = 0;

    /** {@code RDMA_OPTION_ID_TOS}: option for the type of service. */
    public static final int OPTION_TOS = 0;

    /** {@code RDMA_OPTION_ID_REUSEADDR}: option for an address that is in use. */
    public static final int OPTION_REUSE_ADDRESS = 1;

    /** {@code IBV_QPT_RC}: a queue pair that is reliably connected. */
    public static final int QP_TYPE_RC = 2;

    /** {@code IBV_QPS_ERR}: state of a queue pair in error. */
    public static final int QP_STATE_ERROR = 6;

    /** {@code IBV_QP_STATE}: only the state is changed. */
    public static final int QP_STATE_MASK = 1;

    /** {@code IBV_LINK_LAYER_ETHERNET}: a port of RoCE. */
    public static final int LINK_LAYER_ETHERNET = 2;

    /** {@code IBV_PORT_INIT}: a port that waits for the subnet manager. */
    public static final int PORT_INIT = 2;

    /** {@code IBV_PORT_ARMED}: a port that is about to be active. */
    public static final int PORT_ARMED = 3;

    /** {@code IBV_PORT_ACTIVE}: a port that carries data. */
    public static final int PORT_ACTIVE = 4;

    /** {@code IBV_WR_RDMA_WRITE}: request to write to the peer. */
    public static final int WR_RDMA_WRITE = 0;

    /** {@code IBV_WR_SEND}: request to send. */
    public static final int WR_SEND = 2;

    /** {@code IBV_WR_LOCAL_INV}: request to end the binding of a memory window. */
    public static final int WR_LOCAL_INV = 7;

    /** {@code IBV_WR_BIND_MW}: request to bind a memory window. */
    public static final int WR_BIND_MW = 8;

    /** {@code IBV_MW_TYPE_2}: a memory window that requests bind, to memory and to a queue pair. */
    public static final int MW_TYPE_2 = 2;

    /** {@code IBV_DEVICE_MEM_WINDOW_TYPE_2A}: a device with windows that belong to a queue pair. */
    public static final int DEVICE_MW_2A = 1 << 23;

    /** {@code IBV_DEVICE_MEM_WINDOW_TYPE_2B}: a device with windows that belong to a queue pair and a domain. */
    public static final int DEVICE_MW_2B = 1 << 24;

    /** {@code IBV_SEND_SIGNALED}: a request whose end is told. */
    public static final int SEND_SIGNALED = 2;

    /** {@code EACCES}: permission denied. */
    public static final int EACCES = 13;

    /** {@code AF_INET}: addresses of IPv4. */
    public static final int AF_INET = 2;

    /** {@code F_GETFL}: reads the flags of a file descriptor. */
    public static final int F_GETFL = 3;

    /** {@code F_SETFL}: sets them. */
    public static final int F_SETFL = 4;

    /** {@code O_NONBLOCK}: calls return at once. */
    public static final int O_NONBLOCK = 04000;

    /** {@code O_CLOEXEC}: programs that are started do not have it. */
    public static final int O_CLOEXEC = 02000000;

    /** {@code POLLIN}: there is something to read. */
    public static final int POLLIN = 1;

    /** {@code POLLERR | POLLHUP | POLLNVAL}: a file descriptor is of no use any more. */
    public static final int POLL_FAILED = 8 | 16 | 32;

    /** {@code IBV_ACCESS_MW_BIND}: memory that windows may be bound to. */
    public static final int ACCESS_MW_BIND = 16;

    /** {@code IBV_ACCESS_ON_DEMAND}: memory that the card pages in. */
    public static final int ACCESS_ON_DEMAND = 64;

    private VerbsNumbers() {}
}
