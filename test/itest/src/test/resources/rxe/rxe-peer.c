/*
 * The other side of RdmaRxeTest: a program on librdmacm and libibverbs, over the kernel's rdma_rxe.
 *
 *   rxe-peer listen PORT            accepts one connection after another
 *   rxe-peer connect ADDRESS PORT   makes one
 *
 * Then it does what each message that it receives says, until the connection ends: a letter, and numbers of eight bytes, little-endian.
 *
 *   e ...            sends the message back
 *   k                tells address and key of its memory
 *   c LENGTH SEED    tells whether so many bytes of its memory are the pattern: 'y', or 'n' and the first place that is not
 *   w ADDRESS KEY LENGTH SEED   fills its memory with the pattern, writes it there, and tells when that is done: 'd' and the status
 */
#include <endian.h>
#include <netdb.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <rdma/rdma_cma.h>
#include <rdma/rdma_verbs.h>

enum { MESSAGE = 4096, MEMORY = 1 << 20, RECEIVES = 16 };

static unsigned char *memory;
static struct ibv_mr *memory_mr;
static unsigned char *slots;
static struct ibv_mr *slots_mr;

static void need(int ok, const char *what) {
    if (!ok) {
        perror(what);
        exit(1);
    }
}

static unsigned char pattern(uint64_t seed, uint64_t at) {
    return (unsigned char) (seed + at * 31 + (at >> 8));
}

static void prepare(struct rdma_cm_id *id) {
    struct ibv_qp_init_attr attr = {
        .cap = {.max_send_wr = 32, .max_recv_wr = 32, .max_send_sge = 1, .max_recv_sge = 1}, .qp_type = IBV_QPT_RC};
    need(rdma_create_qp(id, NULL, &attr) == 0, "rdma_create_qp");
    memory_mr = ibv_reg_mr(id->pd, memory, MEMORY, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
    slots_mr = ibv_reg_mr(id->pd, slots, (RECEIVES + 1) * MESSAGE, IBV_ACCESS_LOCAL_WRITE);
    need(memory_mr && slots_mr, "ibv_reg_mr");
    for (uintptr_t i = 0; i < RECEIVES; i++) {
        need(rdma_post_recv(id, (void *) i, slots + i * MESSAGE, MESSAGE, slots_mr) == 0, "rdma_post_recv");
    }
}

static uint64_t number(const unsigned char *message, int index) {
    uint64_t value;
    memcpy(&value, message + 1 + 8 * index, 8);
    return le64toh(value);
}

static void put(unsigned char *message, int index, uint64_t value) {
    value = htole64(value);
    memcpy(message + 1 + 8 * index, &value, 8);
}

static int answer(struct rdma_cm_id *id, int length) {
    struct ibv_wc done;
    need(rdma_post_send(id, NULL, slots + RECEIVES * MESSAGE, length, slots_mr, IBV_SEND_SIGNALED) == 0, "rdma_post_send");
    return rdma_get_send_comp(id, &done) > 0 && done.status == IBV_WC_SUCCESS;
}

static int obey(struct rdma_cm_id *id, const unsigned char *message, int length) {
    unsigned char *out = slots + RECEIVES * MESSAGE;
    struct ibv_wc done;
    switch (message[0]) {
    case 'e':
        memcpy(out, message, length);
        return answer(id, length);
    case 'k':
        out[0] = 'k';
        put(out, 0, (uintptr_t) memory);
        put(out, 1, memory_mr->rkey);
        return answer(id, 17);
    case 'c': {
        uint64_t at = 0, bytes = number(message, 0);
        while (at < bytes && memory[at] == pattern(number(message, 1), at)) {
            at++;
        }
        out[0] = at == bytes ? 'y' : 'n';
        put(out, 0, at);
        return answer(id, 9);
    }
    case 'w': {
        uint64_t bytes = number(message, 2);
        for (uint64_t at = 0; at < bytes; at++) {
            memory[at] = pattern(number(message, 3), at);
        }
        need(rdma_post_write(id, NULL, memory, bytes, memory_mr, IBV_SEND_SIGNALED, number(message, 0), number(message, 1)) == 0,
             "rdma_post_write");
        if (rdma_get_send_comp(id, &done) <= 0) {
            return 0;
        }
        if (done.status != IBV_WC_SUCCESS) {
            printf("write: %s\n", ibv_wc_status_str(done.status));
            return 0;
        }
        out[0] = 'd';
        put(out, 0, done.status);
        return answer(id, 9);
    }
    default:
        printf("no such order: %d\n", message[0]);
        return 0;
    }
}

/* Waits for a message; 0 if the connection ends instead. */
static int receive(struct rdma_cm_id *id, struct ibv_wc *came) {
    for (;;) {
        struct pollfd ready[2] = {{.fd = id->recv_cq_channel->fd, .events = POLLIN}, {.fd = id->channel->fd, .events = POLLIN}};
        struct rdma_cm_event *event;
        int found = ibv_poll_cq(id->recv_cq, 1, came);
        if (found != 0) {
            return found > 0 && came->status == IBV_WC_SUCCESS;
        }
        need(ibv_req_notify_cq(id->recv_cq, 0) == 0, "ibv_req_notify_cq");
        found = ibv_poll_cq(id->recv_cq, 1, came);
        if (found != 0) {
            return found > 0 && came->status == IBV_WC_SUCCESS;
        }
        need(poll(ready, 2, -1) > 0, "poll");
        if (ready[1].revents) {
            need(rdma_get_cm_event(id->channel, &event) == 0, "rdma_get_cm_event");
            printf("event: %s\n", rdma_event_str(event->event));
            int over = event->event == RDMA_CM_EVENT_DISCONNECTED;
            rdma_ack_cm_event(event);
            if (over) {
                return 0;
            }
        }
        if (ready[0].revents) {
            struct ibv_cq *cq;
            void *context;
            need(ibv_get_cq_event(id->recv_cq_channel, &cq, &context) == 0, "ibv_get_cq_event");
            ibv_ack_cq_events(cq, 1);
        }
    }
}

static void serve(struct rdma_cm_id *id) {
    struct ibv_wc came = {.status = IBV_WC_SUCCESS};
    unsigned char message[MESSAGE];
    printf("up\n");
    while (receive(id, &came)) {
        uintptr_t slot = came.wr_id;
        memcpy(message, slots + slot * MESSAGE, came.byte_len);
        need(rdma_post_recv(id, (void *) slot, slots + slot * MESSAGE, MESSAGE, slots_mr) == 0, "rdma_post_recv");
        if (!obey(id, message, came.byte_len)) {
            break;
        }
    }
    printf("over: %s\n", ibv_wc_status_str(came.status));
    rdma_disconnect(id);
    ibv_dereg_mr(memory_mr);
    ibv_dereg_mr(slots_mr);
    rdma_destroy_ep(id);
}

int main(int argc, char **argv) {
    int passive = argc == 3 && strcmp(argv[1], "listen") == 0;
    if (!passive && !(argc == 4 && strcmp(argv[1], "connect") == 0)) {
        fprintf(stderr, "usage: rxe-peer listen PORT | connect ADDRESS PORT\n");
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    memory = aligned_alloc(4096, MEMORY);
    slots = aligned_alloc(4096, (RECEIVES + 1) * MESSAGE);
    need(memory && slots, "memory");
    struct rdma_addrinfo hints = {.ai_port_space = RDMA_PS_TCP, .ai_flags = passive ? RAI_PASSIVE : 0}, *found;
    need(rdma_getaddrinfo(passive ? NULL : argv[2], argv[argc - 1], &hints, &found) == 0, "rdma_getaddrinfo");
    struct rdma_cm_id *id;
    need(rdma_create_ep(&id, found, NULL, NULL) == 0, "rdma_create_ep");
    char hello[56];
    memset(hello, 0, sizeof hello);
    snprintf(hello, sizeof hello, "%s", "private data of the kernel's side");
    struct rdma_conn_param with = {.private_data = hello,
                                   .private_data_len = sizeof hello,
                                   .retry_count = 5,
                                   .rnr_retry_count = 6};
    if (!passive) {
        prepare(id);
        need(rdma_connect(id, &with) == 0, "rdma_connect");
        printf("accepted with %d bytes: %.40s\n", id->event->param.conn.private_data_len,
               (const char *) id->event->param.conn.private_data);
        serve(id);
        return 0;
    }
    need(rdma_listen(id, 4) == 0, "rdma_listen");
    printf("listening\n");
    for (;;) {
        struct rdma_cm_id *request;
        need(rdma_get_request(id, &request) == 0, "rdma_get_request");
        const char *told = request->event->param.conn.private_data;
        printf("asked with %d bytes: %.40s\n", request->event->param.conn.private_data_len, told);
        if (told && told[0] == 'x') {
            need(rdma_reject(request, hello, sizeof hello) == 0, "rdma_reject");
            printf("rejected\n");
            rdma_destroy_ep(request);
            continue;
        }
        prepare(request);
        if (rdma_accept(request, &with) != 0) {
            perror("rdma_accept");
            rdma_destroy_ep(request);
            continue;
        }
        serve(request);
    }
}
