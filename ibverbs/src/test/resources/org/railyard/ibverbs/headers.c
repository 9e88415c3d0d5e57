/*
 * Prints sizes, offsets and numbers as the installed headers of libibverbs and librdmacm have them, by the names of
 * VerbsLayout and VerbsNumbers; HeadersTest compares. WITH_SPEED_CHANGE is set for headers that know that event.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <infiniband/verbs.h>
#include <netinet/in.h>
#include <poll.h>
#include <rdma/rdma_cma.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/eventfd.h>

#define PRINT(kind, name, value) printf("%s %s %ld\n", kind, name, (long) (value))
#define OFFSET(name, type, member) PRINT("layout", #name, offsetof(struct type, member))
#define SIZE(name, type) PRINT("layout", #name, sizeof(type))
#define NUMBER(name, value) PRINT("number", #name, value)
#define STATUS(status, value) PRINT("status", #status, value)
#define RATE(tenths_of_megabits, code) printf("rate %d %d\n", tenths_of_megabits, code)
#define MTU(bytes, code) printf("mtu %d %d\n", bytes, code)
#define WIDTH(type, member, bytes) _Static_assert(sizeof(((struct type *) 0)->member) == bytes, #type "." #member)
#define FIRST(type, member) _Static_assert(offsetof(struct type, member) == 0, #type "." #member)

WIDTH(ibv_context, async_fd, 4);
WIDTH(ibv_device_attr, phys_port_cnt, 1);
WIDTH(ibv_port_attr, state, 4);
WIDTH(ibv_port_attr, lid, 2);
WIDTH(ibv_port_attr, active_width, 1);
WIDTH(ibv_port_attr, active_speed, 1);
WIDTH(ibv_port_attr, link_layer, 1);
WIDTH(ibv_mr, lkey, 4);
WIDTH(ibv_mr, rkey, 4);
WIDTH(ibv_qp, qp_num, 4);
WIDTH(ibv_async_event, event_type, 4);
WIDTH(ibv_send_wr, opcode, 4);
WIDTH(ibv_send_wr, send_flags, 4);
WIDTH(ibv_sge, length, 4);
WIDTH(ibv_wc, status, 4);
WIDTH(rdma_cm_id, port_num, 1);
WIDTH(ibv_sa_path_rec, dlid, 2);
WIDTH(ibv_sa_path_rec, sl, 1);
WIDTH(ibv_sa_path_rec, mtu, 1);
WIDTH(ibv_sa_path_rec, rate, 1);
WIDTH(rdma_cm_event, status, 4);
WIDTH(rdma_conn_param, private_data_len, 1);
WIDTH(pollfd, events, 2);
WIDTH(rdma_cm_id, route.num_paths, 4);

FIRST(ibv_recv_wr, wr_id);
FIRST(ibv_send_wr, wr_id);
FIRST(ibv_sge, addr);
FIRST(ibv_wc, wr_id);
FIRST(rdma_conn_param, private_data);
FIRST(sockaddr_in, sin_family);
FIRST(pollfd, fd);
FIRST(ibv_qp_attr, qp_state);

/* Receives have their first fields where sends have them. */
_Static_assert(offsetof(struct ibv_recv_wr, next) == offsetof(struct ibv_send_wr, next), "next");
_Static_assert(offsetof(struct ibv_recv_wr, sg_list) == offsetof(struct ibv_send_wr, sg_list), "sg_list");
_Static_assert(offsetof(struct ibv_recv_wr, num_sge) == offsetof(struct ibv_send_wr, num_sge), "num_sge");
_Static_assert(EFD_NONBLOCK == O_NONBLOCK && EFD_CLOEXEC == O_CLOEXEC, "flags of eventfd");

static void layout(void) {
    OFFSET(CONTEXT_DEVICE, ibv_context, device);
    OFFSET(CONTEXT_ALLOC_MW, ibv_context, ops.alloc_mw);
    OFFSET(CONTEXT_DEALLOC_MW, ibv_context, ops.dealloc_mw);
    OFFSET(CONTEXT_POLL_CQ, ibv_context, ops.poll_cq);
    OFFSET(CONTEXT_REQ_NOTIFY_CQ, ibv_context, ops.req_notify_cq);
    OFFSET(CONTEXT_POST_SEND, ibv_context, ops.post_send);
    OFFSET(CONTEXT_POST_RECV, ibv_context, ops.post_recv);
    OFFSET(CONTEXT_ASYNC_FD, ibv_context, async_fd);
    OFFSET(CONTEXT_ABI_COMPAT, ibv_context, abi_compat);
    OFFSET(DEVICE_NAME, ibv_device, name);
    OFFSET(DEVICE_ATTR_FW_VER, ibv_device_attr, fw_ver);
    OFFSET(DEVICE_ATTR_NODE_GUID, ibv_device_attr, node_guid);
    OFFSET(DEVICE_ATTR_MAX_QP, ibv_device_attr, max_qp);
    OFFSET(DEVICE_ATTR_MAX_QP_WR, ibv_device_attr, max_qp_wr);
    OFFSET(DEVICE_ATTR_FLAGS, ibv_device_attr, device_cap_flags);
    OFFSET(DEVICE_ATTR_MAX_SGE, ibv_device_attr, max_sge);
    OFFSET(DEVICE_ATTR_MAX_CQ, ibv_device_attr, max_cq);
    OFFSET(DEVICE_ATTR_MAX_CQE, ibv_device_attr, max_cqe);
    OFFSET(DEVICE_ATTR_MAX_MR, ibv_device_attr, max_mr);
    OFFSET(DEVICE_ATTR_MAX_MW, ibv_device_attr, max_mw);
    OFFSET(DEVICE_ATTR_PORTS, ibv_device_attr, phys_port_cnt);
    OFFSET(PORT_ATTR_STATE, ibv_port_attr, state);
    OFFSET(PORT_ATTR_MAX_MTU, ibv_port_attr, max_mtu);
    OFFSET(PORT_ATTR_ACTIVE_MTU, ibv_port_attr, active_mtu);
    OFFSET(PORT_ATTR_LID, ibv_port_attr, lid);
    OFFSET(PORT_ATTR_WIDTH, ibv_port_attr, active_width);
    OFFSET(PORT_ATTR_SPEED, ibv_port_attr, active_speed);
    OFFSET(PORT_ATTR_LINK_LAYER, ibv_port_attr, link_layer);
    OFFSET(MR_LKEY, ibv_mr, lkey);
    OFFSET(MR_RKEY, ibv_mr, rkey);
    OFFSET(MW_RKEY, ibv_mw, rkey);
    OFFSET(COMP_CHANNEL_FD, ibv_comp_channel, fd);
    OFFSET(CQ_CQE, ibv_cq, cqe);
    OFFSET(QP_NUM, ibv_qp, qp_num);
    OFFSET(QP_INIT_ATTR_SEND_CQ, ibv_qp_init_attr, send_cq);
    OFFSET(QP_INIT_ATTR_RECV_CQ, ibv_qp_init_attr, recv_cq);
    OFFSET(QP_INIT_ATTR_SENDS, ibv_qp_init_attr, cap.max_send_wr);
    OFFSET(QP_INIT_ATTR_RECEIVES, ibv_qp_init_attr, cap.max_recv_wr);
    OFFSET(QP_INIT_ATTR_SEND_SGE, ibv_qp_init_attr, cap.max_send_sge);
    OFFSET(QP_INIT_ATTR_RECEIVE_SGE, ibv_qp_init_attr, cap.max_recv_sge);
    OFFSET(QP_INIT_ATTR_TYPE, ibv_qp_init_attr, qp_type);
    OFFSET(ASYNC_ELEMENT, ibv_async_event, element);
    OFFSET(ASYNC_TYPE, ibv_async_event, event_type);
    OFFSET(WR_NEXT, ibv_send_wr, next);
    OFFSET(WR_SG_LIST, ibv_send_wr, sg_list);
    OFFSET(WR_NUM_SGE, ibv_send_wr, num_sge);
    OFFSET(WR_OPCODE, ibv_send_wr, opcode);
    OFFSET(WR_FLAGS, ibv_send_wr, send_flags);
    OFFSET(WR_INVALIDATE_RKEY, ibv_send_wr, invalidate_rkey);
    OFFSET(WR_BIND_MW, ibv_send_wr, bind_mw.mw);
    OFFSET(WR_BIND_RKEY, ibv_send_wr, bind_mw.rkey);
    OFFSET(WR_BIND_MR, ibv_send_wr, bind_mw.bind_info.mr);
    OFFSET(WR_BIND_ADDRESS, ibv_send_wr, bind_mw.bind_info.addr);
    OFFSET(WR_BIND_LENGTH, ibv_send_wr, bind_mw.bind_info.length);
    OFFSET(WR_BIND_ACCESS, ibv_send_wr, bind_mw.bind_info.mw_access_flags);
    OFFSET(WR_REMOTE_ADDRESS, ibv_send_wr, wr.rdma.remote_addr);
    OFFSET(WR_RKEY, ibv_send_wr, wr.rdma.rkey);
    OFFSET(SGE_LENGTH, ibv_sge, length);
    OFFSET(SGE_LKEY, ibv_sge, lkey);
    OFFSET(WC_STATUS, ibv_wc, status);
    OFFSET(WC_OPCODE, ibv_wc, opcode);
    OFFSET(WC_VENDOR_ERR, ibv_wc, vendor_err);
    OFFSET(WC_BYTE_LEN, ibv_wc, byte_len);
    OFFSET(WC_QP_NUM, ibv_wc, qp_num);
    OFFSET(EVENT_CHANNEL_FD, rdma_event_channel, fd);
    OFFSET(CM_ID_VERBS, rdma_cm_id, verbs);
    OFFSET(CM_ID_QP, rdma_cm_id, qp);
    OFFSET(CM_ID_SOURCE, rdma_cm_id, route.addr.src_addr);
    OFFSET(CM_ID_DESTINATION, rdma_cm_id, route.addr.dst_addr);
    OFFSET(CM_ID_PATH_REC, rdma_cm_id, route.path_rec);
    OFFSET(CM_ID_NUM_PATHS, rdma_cm_id, route.num_paths);
    OFFSET(CM_ID_PORT, rdma_cm_id, port_num);
    OFFSET(PATH_DLID, ibv_sa_path_rec, dlid);
    OFFSET(PATH_SLID, ibv_sa_path_rec, slid);
    OFFSET(PATH_SL, ibv_sa_path_rec, sl);
    OFFSET(PATH_MTU, ibv_sa_path_rec, mtu);
    OFFSET(PATH_RATE, ibv_sa_path_rec, rate);
    OFFSET(CM_EVENT_ID, rdma_cm_event, id);
    OFFSET(CM_EVENT_LISTEN_ID, rdma_cm_event, listen_id);
    OFFSET(CM_EVENT_TYPE, rdma_cm_event, event);
    OFFSET(CM_EVENT_STATUS, rdma_cm_event, status);
    OFFSET(CM_EVENT_PRIVATE_DATA, rdma_cm_event, param.conn.private_data);
    OFFSET(CM_EVENT_PRIVATE_LENGTH, rdma_cm_event, param.conn.private_data_len);
    OFFSET(CONN_PARAM_LENGTH, rdma_conn_param, private_data_len);
    OFFSET(CONN_PARAM_FLOW_CONTROL, rdma_conn_param, flow_control);
    OFFSET(CONN_PARAM_RETRY, rdma_conn_param, retry_count);
    OFFSET(CONN_PARAM_RNR_RETRY, rdma_conn_param, rnr_retry_count);
    OFFSET(SOCKADDR_PORT, sockaddr_in, sin_port);
    OFFSET(SOCKADDR_ADDRESS, sockaddr_in, sin_addr);
    OFFSET(POLLFD_EVENTS, pollfd, events);
    OFFSET(POLLFD_REVENTS, pollfd, revents);
    SIZE(DEVICE_ATTR, struct ibv_device_attr);
    SIZE(PORT_ATTR, struct ibv_port_attr);
    SIZE(GID, union ibv_gid);
    SIZE(QP_INIT_ATTR, struct ibv_qp_init_attr);
    SIZE(QP_ATTR, struct ibv_qp_attr);
    SIZE(ASYNC_EVENT, struct ibv_async_event);
    SIZE(SEND_WR, struct ibv_send_wr);
    SIZE(RECV_WR, struct ibv_recv_wr);
    SIZE(SGE, struct ibv_sge);
    SIZE(WC, struct ibv_wc);
    SIZE(CONN_PARAM, struct rdma_conn_param);
    SIZE(SOCKADDR_IN, struct sockaddr_in);
    SIZE(POLLFD, struct pollfd);
    SIZE(DEVICE_NAME_BYTES, ((struct ibv_device *) 0)->name);
    PRINT("layout", "CONTEXT_BACK_TO_SIZE",
          offsetof(struct verbs_context, context) - offsetof(struct verbs_context, sz));
    PRINT("layout", "SMALLEST_EXTENSION", sizeof(struct verbs_context) - sizeof(struct ibv_context));
}

static void numbers(void) {
    NUMBER(ASYNC_CQ_ERROR, IBV_EVENT_CQ_ERR);
    NUMBER(ASYNC_QP_FATAL, IBV_EVENT_QP_FATAL);
    NUMBER(ASYNC_QP_REQUEST_ERROR, IBV_EVENT_QP_REQ_ERR);
    NUMBER(ASYNC_QP_ACCESS_ERROR, IBV_EVENT_QP_ACCESS_ERR);
    NUMBER(ASYNC_COMMUNICATION_ESTABLISHED, IBV_EVENT_COMM_EST);
    NUMBER(ASYNC_PATH_MIGRATION_ERROR, IBV_EVENT_PATH_MIG_ERR);
    NUMBER(ASYNC_DEVICE_FATAL, IBV_EVENT_DEVICE_FATAL);
    NUMBER(ASYNC_PORT_ACTIVE, IBV_EVENT_PORT_ACTIVE);
    NUMBER(ASYNC_PORT_ERROR, IBV_EVENT_PORT_ERR);
    NUMBER(ASYNC_LID_CHANGE, IBV_EVENT_LID_CHANGE);
    NUMBER(ASYNC_PKEY_CHANGE, IBV_EVENT_PKEY_CHANGE);
    NUMBER(ASYNC_SM_CHANGE, IBV_EVENT_SM_CHANGE);
    NUMBER(ASYNC_LAST_REQUEST_REACHED, IBV_EVENT_QP_LAST_WQE_REACHED);
    NUMBER(ASYNC_CLIENT_REREGISTER, IBV_EVENT_CLIENT_REREGISTER);
    NUMBER(ASYNC_GID_CHANGE, IBV_EVENT_GID_CHANGE);
#ifdef WITH_SPEED_CHANGE
    NUMBER(ASYNC_SPEED_CHANGE, IBV_EVENT_DEVICE_SPEED_CHANGE);
#endif
    NUMBER(CM_ADDRESS_RESOLVED, RDMA_CM_EVENT_ADDR_RESOLVED);
    NUMBER(CM_ADDRESS_ERROR, RDMA_CM_EVENT_ADDR_ERROR);
    NUMBER(CM_ROUTE_RESOLVED, RDMA_CM_EVENT_ROUTE_RESOLVED);
    NUMBER(CM_ROUTE_ERROR, RDMA_CM_EVENT_ROUTE_ERROR);
    NUMBER(CM_CONNECT_REQUEST, RDMA_CM_EVENT_CONNECT_REQUEST);
    NUMBER(CM_CONNECT_ERROR, RDMA_CM_EVENT_CONNECT_ERROR);
    NUMBER(CM_UNREACHABLE, RDMA_CM_EVENT_UNREACHABLE);
    NUMBER(CM_REJECTED, RDMA_CM_EVENT_REJECTED);
    NUMBER(CM_ESTABLISHED, RDMA_CM_EVENT_ESTABLISHED);
    NUMBER(CM_DISCONNECTED, RDMA_CM_EVENT_DISCONNECTED);
    NUMBER(CM_DEVICE_REMOVAL, RDMA_CM_EVENT_DEVICE_REMOVAL);
    NUMBER(CM_TIMEWAIT_EXIT, RDMA_CM_EVENT_TIMEWAIT_EXIT);
    NUMBER(PORT_SPACE_TCP, RDMA_PS_TCP);
    NUMBER(OPTION_LEVEL_ID, RDMA_OPTION_ID);
    NUMBER(OPTION_TOS, RDMA_OPTION_ID_TOS);
    NUMBER(OPTION_REUSE_ADDRESS, RDMA_OPTION_ID_REUSEADDR);
    NUMBER(QP_TYPE_RC, IBV_QPT_RC);
    NUMBER(QP_STATE_ERROR, IBV_QPS_ERR);
    NUMBER(QP_STATE_MASK, IBV_QP_STATE);
    NUMBER(LINK_LAYER_ETHERNET, IBV_LINK_LAYER_ETHERNET);
    NUMBER(PORT_INIT, IBV_PORT_INIT);
    NUMBER(PORT_ARMED, IBV_PORT_ARMED);
    NUMBER(PORT_ACTIVE, IBV_PORT_ACTIVE);
    NUMBER(WR_RDMA_WRITE, IBV_WR_RDMA_WRITE);
    NUMBER(WR_SEND, IBV_WR_SEND);
    NUMBER(WR_LOCAL_INV, IBV_WR_LOCAL_INV);
    NUMBER(WR_BIND_MW, IBV_WR_BIND_MW);
    NUMBER(MW_TYPE_2, IBV_MW_TYPE_2);
    NUMBER(DEVICE_MW_2A, IBV_DEVICE_MEM_WINDOW_TYPE_2A);
    NUMBER(DEVICE_MW_2B, IBV_DEVICE_MEM_WINDOW_TYPE_2B);
    NUMBER(SEND_SIGNALED, IBV_SEND_SIGNALED);
    NUMBER(EACCES, EACCES);
    NUMBER(AF_INET, AF_INET);
    NUMBER(F_GETFL, F_GETFL);
    NUMBER(F_SETFL, F_SETFL);
    NUMBER(O_NONBLOCK, O_NONBLOCK);
    NUMBER(O_CLOEXEC, O_CLOEXEC);
    NUMBER(POLLIN, POLLIN);
    NUMBER(POLL_FAILED, POLLERR | POLLHUP | POLLNVAL);
    NUMBER(ACCESS_MW_BIND, IBV_ACCESS_MW_BIND);
    NUMBER(ACCESS_ON_DEMAND, IBV_ACCESS_ON_DEMAND);
    NUMBER(LOCAL_WRITE, IBV_ACCESS_LOCAL_WRITE);
    NUMBER(REMOTE_WRITE, IBV_ACCESS_REMOTE_WRITE);
}

static void statuses(void) {
    STATUS(SUCCESS, IBV_WC_SUCCESS);
    STATUS(LOCAL_LENGTH, IBV_WC_LOC_LEN_ERR);
    STATUS(LOCAL_PROTECTION, IBV_WC_LOC_QP_OP_ERR);
    STATUS(LOCAL_PROTECTION, IBV_WC_LOC_PROT_ERR);
    STATUS(LOCAL_PROTECTION, IBV_WC_MW_BIND_ERR);
    STATUS(LOCAL_PROTECTION, IBV_WC_LOC_ACCESS_ERR);
    STATUS(FLUSHED, IBV_WC_WR_FLUSH_ERR);
    STATUS(REMOTE_ACCESS, IBV_WC_REM_ACCESS_ERR);
    STATUS(REMOTE_OPERATION, IBV_WC_BAD_RESP_ERR);
    STATUS(REMOTE_OPERATION, IBV_WC_REM_INV_REQ_ERR);
    STATUS(REMOTE_OPERATION, IBV_WC_REM_OP_ERR);
    STATUS(REMOTE_OPERATION, IBV_WC_REM_ABORT_ERR);
    STATUS(RETRY_EXCEEDED, IBV_WC_RETRY_EXC_ERR);
    STATUS(RNR_RETRY_EXCEEDED, IBV_WC_RNR_RETRY_EXC_ERR);
    STATUS(OTHER, IBV_WC_FATAL_ERR);
    STATUS(OTHER, IBV_WC_RESP_TIMEOUT_ERR);
    STATUS(OTHER, IBV_WC_GENERAL_ERR);
}

static void codes(void) {
    RATE(25000, IBV_RATE_2_5_GBPS);
    RATE(50000, IBV_RATE_5_GBPS);
    RATE(100000, IBV_RATE_10_GBPS);
    RATE(200000, IBV_RATE_20_GBPS);
    RATE(300000, IBV_RATE_30_GBPS);
    RATE(400000, IBV_RATE_40_GBPS);
    RATE(600000, IBV_RATE_60_GBPS);
    RATE(800000, IBV_RATE_80_GBPS);
    RATE(1200000, IBV_RATE_120_GBPS);
    RATE(140625, IBV_RATE_14_GBPS);
    RATE(562500, IBV_RATE_56_GBPS);
    RATE(1125000, IBV_RATE_112_GBPS);
    RATE(1687500, IBV_RATE_168_GBPS);
    RATE(250000, IBV_RATE_25_GBPS);
    RATE(1000000, IBV_RATE_100_GBPS);
    RATE(2000000, IBV_RATE_200_GBPS);
    RATE(3000000, IBV_RATE_300_GBPS);
    RATE(281250, IBV_RATE_28_GBPS);
    RATE(500000, IBV_RATE_50_GBPS);
    RATE(4000000, IBV_RATE_400_GBPS);
    RATE(6000000, IBV_RATE_600_GBPS);
    RATE(8000000, IBV_RATE_800_GBPS);
    RATE(12000000, IBV_RATE_1200_GBPS);
    MTU(256, IBV_MTU_256);
    MTU(512, IBV_MTU_512);
    MTU(1024, IBV_MTU_1024);
    MTU(2048, IBV_MTU_2048);
    MTU(4096, IBV_MTU_4096);
}

int main(void) {
    layout();
    numbers();
    statuses();
    codes();
    return 0;
}
