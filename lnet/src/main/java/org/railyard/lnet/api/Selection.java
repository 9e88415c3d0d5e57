package org.railyard.lnet.api;

import java.util.List;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.nid.Nid;

/**
 * What steers the choice of paths of a node: its user-defined selection policy, an ordered list of rules (spec 10 §20),
 * and the CPU partitions of its NIs (spec 12 §8). Changes count at once. Thread-safe.
 */
public interface Selection {
    /**
     * Adds a rule. One that speaks of the same as a rule that is there takes that one's place.
     *
     * @param index the rule in front of which it goes; one that is not there, or below 0, for the end
     * @throws ErrnoException EALREADY if exactly this rule is there; ENOSPC at 256 rules; ESHUTDOWN when the node is
     *     closed
     */
    void addUdsp(UdspRule rule, int index);

    /**
     * Deletes a rule; those behind it move up.
     *
     * @throws ErrnoException ENOENT if there is none with that index; ESHUTDOWN when the node is closed
     */
    void deleteUdsp(int index);

    /**
     * Deletes all rules, if there are any.
     *
     * @throws ErrnoException ESHUTDOWN when the node is closed
     */
    void clearUdsp();

    /** Returns the rules, by index. */
    List<UdspRule> udsp();

    /**
     * Returns what the rules say of a NID, ours or a peer's.
     *
     * @throws ErrnoException ENOENT if it is neither
     */
    UdspInfo udspInfo(Nid nid);

    /**
     * Moves an NI to other CPU partitions while it runs; messages on their way are not disturbed.
     *
     * @param cpts the partitions, none for all
     * @throws ErrnoException ENODEV if there is no such NI; ERANGE if there is no such partition; ESHUTDOWN when the
     *     node is closed; then nothing changes
     */
    void setNiCpts(Nid nid, List<Integer> cpts);

    /** Returns the CPU partition that messages to a NID are counted on, where all partitions take part. */
    int cptOf(Nid nid);

    /**
     * Explains which way a PUT would go if it were sent now, for the first time or again. Changes nothing.
     *
     * @param target whom it would be for; any NID
     * @param source the local NID to send from, {@link Nid#ANY} for the best
     * @param bytes its payload, 0…1 MiB
     * @param used the NIDs, ours and the peer's, over which it was sent without success; none for a first attempt
     * @throws ErrnoException EINVAL if the target is the wildcard or the length is out of range
     */
    Explanation explain(Nid target, Nid source, int bytes, List<Nid> used);
}
