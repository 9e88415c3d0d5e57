package org.railyard.ibverbs.ffi;

/**
 * Sizes and offsets of the structures of libibverbs and librdmacm, bytes (spec 23 §4.3, spec 24 §3), the same from
 * rdma-core 44 to 64. Names are those of the C headers.
 */
public final class VerbsLayout {
    /** More bytes behind every structure that C writes, so that one that has grown does no harm (spec 24 ibv-011). */
    public static final int SPARE = 64;

    private static final boolean ARM = System.getProperty("os.arch").equals("aarch64");

    /** {@code ibv_context}: the device. */
    public static final int CONTEXT_DEVICE = 0;

    /** {@code ibv_context.ops.alloc_mw}. */
    public static final int CONTEXT_ALLOC_MW = 64;

    /** {@code ibv_context.ops.dealloc_mw}. */
    public static final int CONTEXT_DEALLOC_MW = 80;

    /** {@code ibv_context.ops.poll_cq}. */
    public static final int CONTEXT_POLL_CQ = 96;

    /** {@code ibv_context.ops.req_notify_cq}. */
    public static final int CONTEXT_REQ_NOTIFY_CQ = 104;

    /** {@code ibv_context.ops.post_send}. */
    public static final int CONTEXT_POST_SEND = 208;

    /** {@code ibv_context.ops.post_recv}. */
    public static final int CONTEXT_POST_RECV = 216;

    /** {@code ibv_context.async_fd}, int. */
    public static final int CONTEXT_ASYNC_FD = 268;

    /** {@code ibv_context.abi_compat}; behind a mutex, whose size depends on the processor. */
    public static final int CONTEXT_ABI_COMPAT = ARM ? 328 : 320;

    /** {@code verbs_context.sz}, from the context back. */
    public static final int CONTEXT_BACK_TO_SIZE = 8;

    /** {@code ibv_device.name}, text. */
    public static final int DEVICE_NAME = 24;

    /** Bytes of {@code ibv_device.name}. */
    public static final int DEVICE_NAME_BYTES = 64;

    /** Size of {@code ibv_device_attr}. */
    public static final int DEVICE_ATTR = 232;

    /** {@code ibv_device_attr.fw_ver}, text of 64 bytes. */
    public static final int DEVICE_ATTR_FW_VER = 0;

    /** {@code ibv_device_attr.node_guid}, big-endian. */
    public static final int DEVICE_ATTR_NODE_GUID = 64;

    /** {@code ibv_device_attr.max_qp}. */
    public static final int DEVICE_ATTR_MAX_QP = 108;

    /** {@code ibv_device_attr.max_qp_wr}. */
    public static final int DEVICE_ATTR_MAX_QP_WR = 112;

    /** {@code ibv_device_attr.device_cap_flags}. */
    public static final int DEVICE_ATTR_FLAGS = 116;

    /** {@code ibv_device_attr.max_sge}. */
    public static final int DEVICE_ATTR_MAX_SGE = 120;

    /** {@code ibv_device_attr.max_cq}. */
    public static final int DEVICE_ATTR_MAX_CQ = 128;

    /** {@code ibv_device_attr.max_cqe}. */
    public static final int DEVICE_ATTR_MAX_CQE = 132;

    /** {@code ibv_device_attr.max_mr}. */
    public static final int DEVICE_ATTR_MAX_MR = 136;

    /** {@code ibv_device_attr.max_mw}. */
    public static final int DEVICE_ATTR_MAX_MW = 176;

    /** {@code ibv_device_attr.phys_port_cnt}, one byte. */
    public static final int DEVICE_ATTR_PORTS = 227;

    /** Size of {@code ibv_port_attr} in rdma-core 64; 52 before. */
    public static final int PORT_ATTR = 56;

    /** {@code ibv_port_attr.state}. */
    public static final int PORT_ATTR_STATE = 0;

    /** {@code ibv_port_attr.max_mtu}, a code. */
    public static final int PORT_ATTR_MAX_MTU = 4;

    /** {@code ibv_port_attr.active_mtu}, a code. */
    public static final int PORT_ATTR_ACTIVE_MTU = 8;

    /** {@code ibv_port_attr.lid}, two bytes. */
    public static final int PORT_ATTR_LID = 34;

    /** {@code ibv_port_attr.active_width}, one byte. */
    public static final int PORT_ATTR_WIDTH = 43;

    /** {@code ibv_port_attr.active_speed}, one byte. */
    public static final int PORT_ATTR_SPEED = 44;

    /** {@code ibv_port_attr.link_layer}, one byte; 2 is Ethernet. */
    public static final int PORT_ATTR_LINK_LAYER = 46;

    /** Bytes of a GID. */
    public static final int GID = 16;

    /** {@code ibv_mr.lkey}. */
    public static final int MR_LKEY = 36;

    /** {@code ibv_mr.rkey}. */
    public static final int MR_RKEY = 40;

    /** {@code ibv_mw.rkey}. */
    public static final int MW_RKEY = 16;

    /** {@code ibv_comp_channel.fd}. */
    public static final int COMP_CHANNEL_FD = 8;

    /** {@code ibv_cq.cqe}. */
    public static final int CQ_CQE = 28;

    /** {@code ibv_qp.qp_num}. */
    public static final int QP_NUM = 52;

    /** Size of {@code ibv_qp_init_attr}. */
    public static final int QP_INIT_ATTR = 64;

    /** {@code ibv_qp_init_attr.send_cq}. */
    public static final int QP_INIT_ATTR_SEND_CQ = 8;

    /** {@code ibv_qp_init_attr.recv_cq}. */
    public static final int QP_INIT_ATTR_RECV_CQ = 16;

    /** {@code ibv_qp_init_attr.cap.max_send_wr}. */
    public static final int QP_INIT_ATTR_SENDS = 32;

    /** {@code ibv_qp_init_attr.cap.max_recv_wr}. */
    public static final int QP_INIT_ATTR_RECEIVES = 36;

    /** {@code ibv_qp_init_attr.cap.max_send_sge}. */
    public static final int QP_INIT_ATTR_SEND_SGE = 40;

    /** {@code ibv_qp_init_attr.cap.max_recv_sge}. */
    public static final int QP_INIT_ATTR_RECEIVE_SGE = 44;

    /** {@code ibv_qp_init_attr.qp_type}; 2 is reliably connected. */
    public static final int QP_INIT_ATTR_TYPE = 52;

    /** Size of {@code ibv_qp_attr}; its state comes first. */
    public static final int QP_ATTR = 144;

    /** {@code ibv_async_event.element}: a queue, or in its low half a port. */
    public static final int ASYNC_ELEMENT = 0;

    /** {@code ibv_async_event.event_type}. */
    public static final int ASYNC_TYPE = 8;

    /** Size of {@code ibv_async_event}. */
    public static final int ASYNC_EVENT = 16;

    /** Size of {@code ibv_send_wr}. */
    public static final int SEND_WR = 128;

    /** {@code ibv_send_wr.next}; {@code wr_id} is before it. */
    public static final int WR_NEXT = 8;

    /** {@code ibv_send_wr.sg_list}. */
    public static final int WR_SG_LIST = 16;

    /** {@code ibv_send_wr.num_sge}. */
    public static final int WR_NUM_SGE = 24;

    /** {@code ibv_send_wr.opcode}. */
    public static final int WR_OPCODE = 28;

    /** {@code ibv_send_wr.send_flags}. */
    public static final int WR_FLAGS = 32;

    /** {@code ibv_send_wr.invalidate_rkey}. */
    public static final int WR_INVALIDATE_RKEY = 36;

    /** {@code ibv_send_wr.wr.rdma.remote_addr}. */
    public static final int WR_REMOTE_ADDRESS = 40;

    /** {@code ibv_send_wr.wr.rdma.rkey}. */
    public static final int WR_RKEY = 48;

    /** {@code ibv_send_wr.bind_mw.mw}, a pointer. */
    public static final int WR_BIND_MW = 80;

    /** {@code ibv_send_wr.bind_mw.rkey}. */
    public static final int WR_BIND_RKEY = 88;

    /** {@code ibv_send_wr.bind_mw.bind_info.mr}, a pointer. */
    public static final int WR_BIND_MR = 96;

    /** {@code ibv_send_wr.bind_mw.bind_info.addr}. */
    public static final int WR_BIND_ADDRESS = 104;

    /** {@code ibv_send_wr.bind_mw.bind_info.length}. */
    public static final int WR_BIND_LENGTH = 112;

    /** {@code ibv_send_wr.bind_mw.bind_info.mw_access_flags}. */
    public static final int WR_BIND_ACCESS = 120;

    /** Size of {@code ibv_recv_wr}, whose fields are those of {@code ibv_send_wr} up to {@link #WR_NUM_SGE}. */
    public static final int RECV_WR = 32;

    /** Size of {@code ibv_sge}; its address comes first. */
    public static final int SGE = 16;

    /** {@code ibv_sge.length}. */
    public static final int SGE_LENGTH = 8;

    /** {@code ibv_sge.lkey}. */
    public static final int SGE_LKEY = 12;

    /** Size of {@code ibv_wc}; its {@code wr_id} comes first. */
    public static final int WC = 48;

    /** {@code ibv_wc.status}. */
    public static final int WC_STATUS = 8;

    /** {@code ibv_wc.opcode}. */
    public static final int WC_OPCODE = 12;

    /** {@code ibv_wc.vendor_err}. */
    public static final int WC_VENDOR_ERR = 16;

    /** {@code ibv_wc.byte_len}. */
    public static final int WC_BYTE_LEN = 20;

    /** {@code ibv_wc.qp_num}. */
    public static final int WC_QP_NUM = 28;

    /** {@code rdma_event_channel.fd}. */
    public static final int EVENT_CHANNEL_FD = 0;

    /** {@code rdma_cm_id.verbs}. */
    public static final int CM_ID_VERBS = 0;

    /** {@code rdma_cm_id.qp}. */
    public static final int CM_ID_QP = 24;

    /** {@code rdma_cm_id.route.addr.src_addr}, a {@code sockaddr}. */
    public static final int CM_ID_SOURCE = 32;

    /** {@code rdma_cm_id.route.addr.dst_addr}, a {@code sockaddr}. */
    public static final int CM_ID_DESTINATION = 160;

    /** {@code rdma_cm_id.route.path_rec}, a pointer. */
    public static final int CM_ID_PATH_REC = 328;

    /** {@code rdma_cm_id.route.num_paths}. */
    public static final int CM_ID_NUM_PATHS = 336;

    /** {@code rdma_cm_id.port_num}, one byte. */
    public static final int CM_ID_PORT = 348;

    /** {@code ibv_sa_path_rec.dlid}, big-endian. */
    public static final int PATH_DLID = 32;

    /** {@code ibv_sa_path_rec.slid}, big-endian. */
    public static final int PATH_SLID = 34;

    /** {@code ibv_sa_path_rec.sl}. */
    public static final int PATH_SL = 56;

    /** {@code ibv_sa_path_rec.mtu}, a code. */
    public static final int PATH_MTU = 58;

    /** {@code ibv_sa_path_rec.rate}, a code. */
    public static final int PATH_RATE = 60;

    /** {@code rdma_cm_event.id}. */
    public static final int CM_EVENT_ID = 0;

    /** {@code rdma_cm_event.listen_id}. */
    public static final int CM_EVENT_LISTEN_ID = 8;

    /** {@code rdma_cm_event.event}. */
    public static final int CM_EVENT_TYPE = 16;

    /** {@code rdma_cm_event.status}, signed. */
    public static final int CM_EVENT_STATUS = 20;

    /** {@code rdma_cm_event.param.conn.private_data}, a pointer. */
    public static final int CM_EVENT_PRIVATE_DATA = 24;

    /** {@code rdma_cm_event.param.conn.private_data_len}, one byte. */
    public static final int CM_EVENT_PRIVATE_LENGTH = 32;

    /** Size of {@code rdma_conn_param}; the pointer to its private data comes first. */
    public static final int CONN_PARAM = 24;

    /** {@code rdma_conn_param.private_data_len}, one byte. */
    public static final int CONN_PARAM_LENGTH = 8;

    /** {@code rdma_conn_param.flow_control}, one byte. */
    public static final int CONN_PARAM_FLOW_CONTROL = 11;

    /** {@code rdma_conn_param.retry_count}, one byte. */
    public static final int CONN_PARAM_RETRY = 12;

    /** {@code rdma_conn_param.rnr_retry_count}, one byte. */
    public static final int CONN_PARAM_RNR_RETRY = 13;

    /** Size of {@code sockaddr_in}; its family comes first, two bytes. */
    public static final int SOCKADDR_IN = 16;

    /** {@code sockaddr_in.sin_port}, big-endian. */
    public static final int SOCKADDR_PORT = 2;

    /** {@code sockaddr_in.sin_addr}, big-endian. */
    public static final int SOCKADDR_ADDRESS = 4;

    /** Size of {@code pollfd}; its fd comes first. */
    public static final int POLLFD = 8;

    /** {@code pollfd.events}, two bytes. */
    public static final int POLLFD_EVENTS = 4;

    /** {@code pollfd.revents}, two bytes. */
    public static final int POLLFD_REVENTS = 6;

    private VerbsLayout() {}
}
