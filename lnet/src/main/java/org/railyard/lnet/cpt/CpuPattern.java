package org.railyard.lnet.cpt;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;

/**
 * The parameter {@code cpu_pattern} (spec 12 §8): {@code N}, {@code 0[0-3] 1[4,5,7]}, {@code N 0[0,1] 1[2,3]}, {@code
 * X[0-1]}, {@code N C[0]}.
 *
 * @param byNode whether it begins with {@code N}: numbers of partitions are NUMA nodes, the default layout is by node
 * @param partitions the numbers of each partition, by its id; empty for the default layout
 * @param without CPU numbers that are left out, {@code X[…]}
 * @param withoutCores relative cores of each partition that are left out, {@code C[…]}
 */
record CpuPattern(
        boolean byNode,
        Map<Integer, SortedSet<Integer>> partitions,
        SortedSet<Integer> without,
        SortedSet<Integer> withoutCores) {
    /** Longest text. */
    static final int MAX_LENGTH = 4096;

    /** Largest number of a CPU, a node or a partition. */
    static final int MAX_NUMBER = 8191;

    /**
     * Reads a pattern.
     *
     * @throws ErrnoException EINVAL if a bracket or a number is missing, ERANGE if a number is too large or a range is
     *     reversed, EPERM if an id is there twice
     */
    static CpuPattern parse(String text) {
        return new Reader(text).read();
    }

    private static final class Reader {
        private final String text;
        private int at;

        /** Numbers in all lists so far; a CPU can not be in two of them anyway. */
        private int named;

        Reader(String text) {
            if (text.length() > MAX_LENGTH) {
                throw new ErrnoException(
                        Errno.EINVAL, "a cpu_pattern of " + text.length() + " characters; the limit is " + MAX_LENGTH);
            }
            this.text = text;
        }

        CpuPattern read() {
            Map<Integer, SortedSet<Integer>> partitions = new LinkedHashMap<>();
            SortedSet<Integer> without = new TreeSet<>();
            SortedSet<Integer> withoutCores = new TreeSet<>();
            skipBlanks();
            boolean byNode = accept('N');
            for (skipBlanks(); at < text.length(); skipBlanks()) {
                int start = at;
                if (accept('X')) {
                    without.addAll(list());
                } else if (accept('C')) {
                    withoutCores.addAll(list());
                } else {
                    int id = number("a partition's number, X or C");
                    if (partitions.put(id, list()) != null) {
                        throw fail(Errno.EPERM, start, "partition " + id + " for the second time");
                    }
                }
            }
            int kinds = (partitions.isEmpty() ? 0 : 1) + (without.isEmpty() ? 0 : 1) + (withoutCores.isEmpty() ? 0 : 1);
            if (kinds > 1) {
                throw fail(Errno.EINVAL, 0, "more than one of partitions, X[...] and C[...]");
            }
            return new CpuPattern(byNode, partitions, without, withoutCores);
        }

        private SortedSet<Integer> list() {
            SortedSet<Integer> numbers = new TreeSet<>();
            skipBlanks();
            expect('[');
            do {
                range(numbers);
                skipBlanks();
            } while (accept(','));
            expect(']');
            return numbers;
        }

        private void range(SortedSet<Integer> into) {
            skipBlanks();
            int start = at;
            int first = number("a number");
            int last = accept('-') ? number("the end of the range") : first;
            int step = accept('/') ? number("a step") : 1;
            if (last < first || step == 0) {
                throw fail(Errno.ERANGE, start, "a range that is reversed or has the step 0");
            }
            for (int i = first; i <= last; i += step) {
                named += into.add(i) ? 1 : 0;
            }
            if (named > MAX_NUMBER + 1) {
                throw fail(Errno.EINVAL, start, "more than " + (MAX_NUMBER + 1) + " numbers in all");
            }
        }

        private int number(String expected) {
            int start = at;
            int value = 0;
            while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
                value = value * 10 + text.charAt(at++) - '0';
                if (value > MAX_NUMBER) {
                    throw fail(Errno.ERANGE, start, "a number above " + MAX_NUMBER);
                }
            }
            if (at == start) {
                throw fail(Errno.EINVAL, start, "no number; expected " + expected);
            }
            return value;
        }

        private void skipBlanks() {
            while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
                at++;
            }
        }

        private boolean accept(char wanted) {
            boolean found = at < text.length() && text.charAt(at) == wanted;
            if (found) {
                at++;
            }
            return found;
        }

        private void expect(char wanted) {
            if (!accept(wanted)) {
                throw fail(Errno.EINVAL, at, "no '" + wanted + "'");
            }
        }

        private ErrnoException fail(Errno errno, int where, String found) {
            return new ErrnoException(errno, "cpu_pattern '" + text + "', character " + (where + 1) + ": " + found);
        }
    }

    /** Returns the partitions in the order of their ids, which must be 0, 1, …. */
    List<SortedSet<Integer>> inOrder() {
        List<SortedSet<Integer>> all = new ArrayList<>();
        for (int id = 0; id < partitions.size(); id++) {
            SortedSet<Integer> numbers = partitions.get(id);
            if (numbers == null) {
                throw new ErrnoException(
                        Errno.ERANGE,
                        "cpu_pattern names partitions " + partitions.keySet() + "; expected 0 to "
                                + (partitions.size() - 1));
            }
            all.add(numbers);
        }
        return all;
    }
}
