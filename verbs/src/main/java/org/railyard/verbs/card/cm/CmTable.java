package org.railyard.verbs.card.cm;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.card.CardScheduler;

/**
 * What a connection manager knows: the ends of connections by their numbers, and by the requests that came for them;
 * which of these requests have come to an end; the addresses that are taken. Not thread-safe.
 *
 * @param <I> the ends
 * @param <O> what identifies a request: whom it came from, and its number there
 */
public final class CmTable<I extends CardCmId<?, ?>, O> {
    /** Most requests that are over and still known, so that one that the network repeats is no second request. */
    static final int MAX_PAST = 1 << 12;

    private final String owner;
    private final int maxIds;
    private final CardScheduler time;
    private final CmTimes times;
    private final AddressBook<CardCmId<?, ?>> addresses;
    private final Map<Integer, I> ids = new LinkedHashMap<>();
    private final Map<O, I> requests = new LinkedHashMap<>();

    /** The requests by the ends that were made for them: a look at each one per close would take too long. */
    private final Map<CardCmId<?, ?>, O> origins = new LinkedHashMap<>();

    /** Requests that came to an end, the last ones, with what answers them. */
    private final SequencedMap<O, Runnable> past = new LinkedHashMap<>();

    /**
     * Makes one without entries.
     *
     * @param owner the machine, as errors call it
     * @param maxIds most ends of connections, being set up or in being
     */
    public CmTable(String owner, int maxIds, CardScheduler time, CmTimes times) {
        this.owner = owner;
        this.maxIds = maxIds;
        this.time = time;
        this.times = times;
        this.addresses = new AddressBook<>(owner);
    }

    String owner() {
        return owner;
    }

    CardScheduler time() {
        return time;
    }

    CmTimes times() {
        return times;
    }

    /** Returns the addresses that are taken, and who listens there. */
    public AddressBook<CardCmId<?, ?>> addresses() {
        return addresses;
    }

    /** Tells whether there is no room for one more end. */
    public boolean isFull() {
        return ids.size() >= maxIds;
    }

    /** Throws a {@link VerbsException}, ENOMEM, if there is no room for one more end. */
    public void checkRoom() {
        if (isFull()) {
            throw new VerbsException(VerbsException.Code.ENOMEM, "more than " + maxIds + " connections on " + owner);
        }
    }

    /** Takes an end in; returns it. */
    public I add(I id) {
        ids.put(id.number(), id);
        return id;
    }

    /** Returns the end with a number; null if there is none. */
    public @Nullable I find(int number) {
        return ids.get(number);
    }

    /** Notes that an end was made for a request. */
    public void note(O request, I id) {
        requests.put(request, id);
        origins.put(id, request);
    }

    /** Returns the end that was made for a request; null if none was. */
    public @Nullable I madeFor(O request) {
        return requests.get(request);
    }

    /** The end of a connection is over: so is the request that it was made for, if it was. */
    void ended(CardCmId<?, ?> id, @Nullable Runnable answer) {
        O request = origins.get(id);
        if (request != null) {
            noteEnd(request, answer == null ? () -> {} : answer);
        }
    }

    /** Notes what answers a request that has come to an end, if it comes again. */
    public void noteEnd(O request, Runnable answer) {
        past.putLast(request, answer);
        if (past.size() > MAX_PAST) {
            past.pollFirstEntry();
        }
    }

    /** Tells whether a request has come to an end, as far as that is known still. */
    public boolean isPast(O request) {
        return past.containsKey(request);
    }

    /** Answers a request that came, if it has come to an end before; false if it has not. */
    public boolean answersPast(O request) {
        Runnable answer = past.get(request);
        if (answer != null) {
            answer.run();
        }
        return answer != null;
    }

    void forget(CardCmId<?, ?> id) {
        ids.remove(id.number());
        O origin = origins.remove(id);
        if (origin != null) {
            requests.remove(origin);
        }
        addresses.forget(id);
    }

    /** Returns a copy of the list of ends. */
    public List<I> all() {
        return List.copyOf(ids.values());
    }

    /** Ends all connections without a message, and forgets everything. */
    public void die() {
        all().forEach(CardCmId::die);
        ids.clear();
        requests.clear();
        origins.clear();
        past.clear();
        addresses.clear();
    }
}
