/*
 * What stands in for libibverbs and librdmacm with a card that does nothing: requests are copied, as drivers do, and
 * complete at once. For measuring what a call costs from Java, and beside it the same calls from C.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <infiniband/verbs.h>
#include <pthread.h>
#include <rdma/rdma_cma.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#undef ibv_query_port
#undef ibv_reg_mr

enum { RING = 4096, MAX_EVENTS = 16 };

struct channel {
    struct rdma_event_channel base;
    struct rdma_cm_event *waiting[MAX_EVENTS];
    unsigned first, last;
};

struct card {
    struct verbs_context extended;
    struct ibv_device device;
};

static struct card card;
static struct ibv_sa_path_rec path;
static struct ibv_context *contexts[2];
static pthread_spinlock_t lock;
static struct ibv_send_wr ring[RING];
static unsigned posted, polled;

static int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad) {
    (void) qp;
    pthread_spin_lock(&lock);
    for (; wr; wr = wr->next) {
        if (posted - polled == RING) {
            pthread_spin_unlock(&lock);
            *bad = wr;
            return ENOMEM;
        }
        ring[posted++ % RING] = *wr;
    }
    pthread_spin_unlock(&lock);
    return 0;
}

static int post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad) {
    (void) qp, (void) wr, (void) bad;
    return 0;
}

static int poll_cq(struct ibv_cq *cq, int most, struct ibv_wc *wc) {
    (void) cq;
    int count = 0;
    pthread_spin_lock(&lock);
    while (count < most && polled != posted) {
        struct ibv_send_wr *wr = &ring[polled++ % RING];
        if (wr->send_flags & IBV_SEND_SIGNALED) {
            wc[count].wr_id = wr->wr_id;
            wc[count].status = IBV_WC_SUCCESS;
            wc[count].opcode = IBV_WC_SEND;
            wc[count].byte_len = 0;
            wc[count++].qp_num = 17;
        }
    }
    pthread_spin_unlock(&lock);
    return count;
}

static int notify(struct ibv_cq *cq, int solicited) {
    (void) cq, (void) solicited;
    return 0;
}

static int again(void) {
    errno = EAGAIN;
    return -1;
}

struct ibv_context **rdma_get_devices(int *count) {
    struct verbs_context *all = &card.extended;
    struct ibv_context *context = &all->context;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    all->sz = sizeof *all;
    strcpy(card.device.name, "bench0");
    context->device = &card.device;
    context->abi_compat = __VERBS_ABI_IS_EXTENDED;
    context->async_fd = eventfd(0, EFD_NONBLOCK);
    context->ops.poll_cq = poll_cq;
    context->ops.req_notify_cq = notify;
    context->ops.post_send = post_send;
    context->ops.post_recv = post_recv;
    contexts[0] = context;
    *count = 1;
    return contexts;
}

struct ibv_device **ibv_get_device_list(int *count) {
    (void) count;
    return calloc(1, sizeof(struct ibv_device *));
}

void ibv_free_device_list(struct ibv_device **list) {
    free(list);
}

int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attr) {
    (void) context;
    memset(attr, 0, sizeof *attr);
    attr->max_qp = attr->max_cq = attr->max_mr = 1000;
    attr->max_qp_wr = attr->max_cqe = RING;
    attr->max_sge = 16;
    attr->phys_port_cnt = 1;
    return 0;
}

int ibv_query_port(struct ibv_context *context, uint8_t port, struct _compat_ibv_port_attr *into) {
    (void) context, (void) port;
    struct ibv_port_attr *attr = (struct ibv_port_attr *) into;
    attr->state = IBV_PORT_ACTIVE;
    attr->max_mtu = attr->active_mtu = IBV_MTU_4096;
    attr->link_layer = IBV_LINK_LAYER_INFINIBAND;
    return 0;
}

int ibv_query_gid(struct ibv_context *context, uint8_t port, int index, union ibv_gid *gid) {
    (void) context, (void) port, (void) index, (void) gid;
    return -1;
}

struct ibv_pd *ibv_alloc_pd(struct ibv_context *context) {
    struct ibv_pd *pd = calloc(1, sizeof *pd);
    pd->context = context;
    return pd;
}

int ibv_dealloc_pd(struct ibv_pd *pd) {
    free(pd);
    return 0;
}

struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *start, size_t length, int rights) {
    (void) pd, (void) start, (void) length, (void) rights;
    return calloc(1, sizeof(struct ibv_mr));
}

int ibv_dereg_mr(struct ibv_mr *mr) {
    free(mr);
    return 0;
}

struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *context) {
    (void) context;
    struct ibv_comp_channel *made = calloc(1, sizeof *made);
    made->fd = eventfd(0, EFD_NONBLOCK);
    return made;
}

int ibv_destroy_comp_channel(struct ibv_comp_channel *channel) {
    close(channel->fd);
    free(channel);
    return 0;
}

struct ibv_cq *ibv_create_cq(
        struct ibv_context *context, int entries, void *cookie, struct ibv_comp_channel *channel, int vector) {
    (void) channel, (void) vector;
    struct ibv_cq *cq = calloc(1, sizeof *cq);
    cq->context = context;
    cq->cq_context = cookie;
    cq->cqe = entries;
    return cq;
}

int ibv_destroy_cq(struct ibv_cq *cq) {
    free(cq);
    return 0;
}

int ibv_get_cq_event(struct ibv_comp_channel *channel, struct ibv_cq **cq, void **cookie) {
    (void) channel, (void) cq, (void) cookie;
    return again();
}

void ibv_ack_cq_events(struct ibv_cq *cq, unsigned count) {
    (void) cq, (void) count;
}

int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask) {
    (void) qp, (void) attr, (void) mask;
    return 0;
}

int ibv_get_async_event(struct ibv_context *context, struct ibv_async_event *event) {
    (void) context, (void) event;
    return again();
}

void ibv_ack_async_event(struct ibv_async_event *event) {
    (void) event;
}

struct rdma_event_channel *rdma_create_event_channel(void) {
    struct channel *made = calloc(1, sizeof *made);
    made->base.fd = eventfd(0, EFD_NONBLOCK);
    return &made->base;
}

void rdma_destroy_event_channel(struct rdma_event_channel *channel) {
    close(channel->fd);
    free(channel);
}

static int tell(struct rdma_cm_id *id, enum rdma_cm_event_type type) {
    struct channel *channel = (struct channel *) id->channel;
    struct rdma_cm_event *event = calloc(1, sizeof *event);
    uint64_t one = 1;
    event->id = id;
    event->event = type;
    channel->waiting[channel->last++ % MAX_EVENTS] = event;
    return write(channel->base.fd, &one, sizeof one) == sizeof one ? 0 : -1;
}

int rdma_get_cm_event(struct rdma_event_channel *from, struct rdma_cm_event **event) {
    struct channel *channel = (struct channel *) from;
    uint64_t none;
    if (channel->first == channel->last) {
        return read(channel->base.fd, &none, sizeof none) < 0 ? -1 : again();
    }
    *event = channel->waiting[channel->first++ % MAX_EVENTS];
    return 0;
}

int rdma_ack_cm_event(struct rdma_cm_event *event) {
    free(event);
    return 0;
}

int rdma_create_id(struct rdma_event_channel *channel, struct rdma_cm_id **id, void *cookie, enum rdma_port_space ps) {
    (void) ps;
    *id = calloc(1, sizeof **id);
    (*id)->channel = channel;
    (*id)->context = cookie;
    return 0;
}

int rdma_destroy_id(struct rdma_cm_id *id) {
    free(id);
    return 0;
}

static void place(struct rdma_cm_id *id) {
    id->verbs = contexts[0];
    id->port_num = 1;
    id->route.addr.src_addr.sa_family = AF_INET;
}

int rdma_bind_addr(struct rdma_cm_id *id, struct sockaddr *address) {
    (void) address;
    place(id);
    return 0;
}

int rdma_resolve_addr(struct rdma_cm_id *id, struct sockaddr *from, struct sockaddr *to, int millis) {
    (void) from, (void) to, (void) millis;
    place(id);
    return tell(id, RDMA_CM_EVENT_ADDR_RESOLVED);
}

int rdma_resolve_route(struct rdma_cm_id *id, int millis) {
    (void) millis;
    path.mtu = IBV_MTU_4096;
    id->route.path_rec = &path;
    id->route.num_paths = 1;
    return tell(id, RDMA_CM_EVENT_ROUTE_RESOLVED);
}

int rdma_create_qp(struct rdma_cm_id *id, struct ibv_pd *pd, struct ibv_qp_init_attr *attr) {
    (void) attr;
    struct ibv_qp *qp = calloc(1, sizeof *qp);
    qp->context = contexts[0];
    qp->pd = pd;
    qp->qp_num = 17;
    id->qp = qp;
    return 0;
}

void rdma_destroy_qp(struct rdma_cm_id *id) {
    free(id->qp);
    id->qp = NULL;
}

int rdma_connect(struct rdma_cm_id *id, struct rdma_conn_param *parameters) {
    (void) parameters;
    return tell(id, RDMA_CM_EVENT_ESTABLISHED);
}

int rdma_listen(struct rdma_cm_id *id, int backlog) {
    (void) id, (void) backlog;
    return 0;
}

int rdma_accept(struct rdma_cm_id *id, struct rdma_conn_param *parameters) {
    (void) id, (void) parameters;
    return 0;
}

int rdma_reject(struct rdma_cm_id *id, const void *data, uint8_t length) {
    (void) id, (void) data, (void) length;
    return 0;
}

int rdma_disconnect(struct rdma_cm_id *id) {
    (void) id;
    return 0;
}

int rdma_notify(struct rdma_cm_id *id, enum ibv_event_type event) {
    (void) id, (void) event;
    return 0;
}

int rdma_set_option(struct rdma_cm_id *id, int level, int name, void *value, size_t length) {
    (void) id, (void) level, (void) name, (void) value, (void) length;
    return 0;
}

/* What a program in C does for one request: writes it, posts it, polls for its completion, and looks at that. */
long bench_post_and_poll(long count) {
    struct ibv_context *context = contexts[0];
    struct ibv_qp qp = {.context = context};
    struct ibv_cq cq = {.context = context};
    struct ibv_wc wc[16];
    long sum = 0;
    for (long i = 0; i < count; i++) {
        struct ibv_sge entry = {.addr = 4096, .length = 64, .lkey = 1};
        struct ibv_send_wr wr = {.wr_id = i, .sg_list = &entry, .num_sge = 1, .opcode = IBV_WR_SEND,
                                 .send_flags = IBV_SEND_SIGNALED};
        struct ibv_send_wr *bad = NULL;
        if (ibv_post_send(&qp, &wr, &bad) != 0) {
            return -1;
        }
        for (int j = ibv_poll_cq(&cq, 16, wc); j > 0; j--) {
            sum += wc[j - 1].wr_id + wc[j - 1].status + wc[j - 1].opcode + wc[j - 1].byte_len + wc[j - 1].qp_num;
        }
    }
    return sum;
}

/* Looks for completions where there are none. */
long bench_poll_nothing(long count) {
    struct ibv_cq cq = {.context = contexts[0]};
    struct ibv_wc wc[16];
    long sum = 0;
    for (long i = 0; i < count; i++) {
        sum += ibv_poll_cq(&cq, 16, wc);
    }
    return sum;
}
