package org.railyard.campaign.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.railyard.base.report.Distribution;
import org.railyard.base.report.NumberText;
import org.railyard.campaign.plan.Csv;
import org.railyard.campaign.work.RowColumn;
import org.railyard.campaign.work.RowColumn.Role;
import org.railyard.campaign.work.Work;
import org.railyard.fabric.torus.grid.TorusShape;

/** Adds up rows, which come in the order of their cases. Its size is bounded, however many they are. */
public final class RowSummary {
    /** Most groups that are told apart; all others are one. */
    public static final int MAX_GROUPS = 1000;

    /** Most cases that did not end well that are named. */
    public static final int MAX_NAMED = 1000;

    private static final int MAX_REASONS = 100;
    private static final String OTHERS = "(others)";
    private static final Pattern DOT = Pattern.compile("\\.");
    private static final double HALF = 0.5;
    private static final double MOST = 0.99;

    private final Work work;
    private final List<RowColumn> columns;
    private final List<Integer> figures = new ArrayList<>();
    private final int group;
    private final int reason;
    private final int places;
    private final SortedMap<String, Long> verdicts = new TreeMap<>();
    private final SortedMap<String, Long> reasons = new TreeMap<>();
    private final SequencedMap<String, Group> groups = new LinkedHashMap<>();
    private final Group all;
    private final List<Bad> bad = new ArrayList<>();
    private final Optional<PlaceFigures> map;

    /**
     * A case that did not end well.
     *
     * @param number the case
     * @param verdict how it ended
     * @param reason why, a word
     */
    public record Bad(long number, String verdict, String reason) {}

    /** Rows that belong together. */
    public static final class Group {
        private final String name;
        private final List<Distribution> figures = new ArrayList<>();
        private long cases;
        private long good;

        private Group(String name, int count) {
            this.name = name;
            for (int i = 0; i < count; i++) {
                figures.add(new Distribution());
            }
        }

        /** Returns its name. */
        public String name() {
            return name;
        }

        /** Returns how many cases it has. */
        public long cases() {
            return cases;
        }

        /** Returns how many of them ended well. */
        public long good() {
            return good;
        }

        /** Returns a distribution for each of {@link RowSummary#figures}. */
        public List<Distribution> figures() {
            return Collections.unmodifiableList(figures);
        }
    }

    /** Makes one without rows. */
    public RowSummary(Work work) {
        this.work = work;
        this.columns = work.columns();
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).role() == Role.FIGURE) {
                figures.add(i);
            }
        }
        group = find(Role.GROUP);
        reason = find(Role.REASON);
        places = find(Role.PLACES);
        all = new Group("all", figures.size());
        map = places < 0 ? Optional.empty() : work.torus().map(PlaceFigures::new);
    }

    private int find(Role role) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).role() == role) {
                return i;
            }
        }
        return -1;
    }

    /** Adds a row. */
    public void add(String line) {
        List<String> cells = Csv.cells(line);
        String verdict = cells.get(1);
        boolean isGood = verdict.equals(work.goodVerdict());
        verdicts.merge(verdict, 1L, Long::sum);
        add(all, cells, isGood);
        if (group >= 0) {
            String name = cells.get(group);
            String known = groups.containsKey(name) || groups.size() < MAX_GROUPS ? name : OTHERS;
            add(groups.computeIfAbsent(known, _ -> new Group(known, figures.size())), cells, isGood);
        }
        if (!isGood) {
            String why = reason < 0 || cells.get(reason).isEmpty() ? verdict : cells.get(reason);
            reasons.merge(reasons.containsKey(why) || reasons.size() < MAX_REASONS ? why : OTHERS, 1L, Long::sum);
            if (bad.size() < MAX_NAMED) {
                bad.add(new Bad(Long.parseLong(cells.getFirst()), verdict, why));
            }
        }
        map.ifPresent(each -> place(each, cells, isGood));
    }

    private void add(Group to, List<String> cells, boolean isGood) {
        to.cases++;
        to.good += isGood ? 1 : 0;
        for (int i = 0; i < figures.size(); i++) {
            to.figures.get(i).add(number(cells.get(figures.get(i))));
        }
    }

    private static double number(String cell) {
        return cell.isEmpty() ? Double.NaN : Double.parseDouble(cell);
    }

    private void place(PlaceFigures figuresByPlace, List<String> cells, boolean isGood) {
        double value = Double.NaN;
        for (int i = 0; i < columns.size(); i++) {
            value = columns.get(i).name().equals(work.mapped()) ? number(cells.get(i)) : value;
        }
        TorusShape shape = figuresByPlace.shape();
        for (String place : cells.get(places).split(" ", -1)) {
            String[] at = DOT.split(place, -1);
            if (at.length == TorusShape.DIMENSIONS) {
                figuresByPlace.add(
                        shape.position(Integer.parseInt(at[0]), Integer.parseInt(at[1]), Integer.parseInt(at[2])),
                        isGood,
                        value);
            }
        }
    }

    /** Returns the columns with figures. */
    public List<RowColumn> figures() {
        return figures.stream().map(columns::get).toList();
    }

    /** Returns how many cases there are of each verdict. */
    public SortedMap<String, Long> verdicts() {
        return Collections.unmodifiableSortedMap(verdicts);
    }

    /** Returns how many cases did not end well for each reason. */
    public SortedMap<String, Long> reasons() {
        return Collections.unmodifiableSortedMap(reasons);
    }

    /** Returns all rows. */
    public Group all() {
        return all;
    }

    /** Returns the groups, in the order in which they came; none if rows have no groups. */
    public Collection<Group> groups() {
        return Collections.unmodifiableCollection(groups.values());
    }

    /** Returns the first {@value #MAX_NAMED} cases that did not end well. */
    public List<Bad> bad() {
        return Collections.unmodifiableList(bad);
    }

    /** Returns how many cases did not end well. */
    public long badCases() {
        return all.cases - all.good;
    }

    /** Returns what is known of positions of the torus, if there is one. */
    public Optional<PlaceFigures> map() {
        return map;
    }

    /** Returns a line of CSV for all and for each group, and one with names before; quantiles are right to 3 %. */
    public List<String> csv() {
        List<String> heads = new ArrayList<>(List.of("group", "cases", "good"));
        for (RowColumn column : figures()) {
            for (String what : List.of("min", "p50", "mean", "p99", "max")) {
                heads.add(column.name() + "_" + what);
            }
        }
        List<String> lines = new ArrayList<>(List.of(Csv.line(heads)));
        lines.add(line(all));
        groups.values().forEach(each -> lines.add(line(each)));
        return lines;
    }

    private static String line(Group group) {
        List<String> cells =
                new ArrayList<>(List.of(group.name, Long.toString(group.cases), Long.toString(group.good)));
        for (Distribution figure : group.figures) {
            boolean isThere = figure.count() > 0;
            cells.add(isThere ? NumberText.text(figure.min()) : "");
            cells.add(isThere ? NumberText.text(figure.quantile(HALF)) : "");
            cells.add(isThere ? NumberText.text(figure.mean()) : "");
            cells.add(isThere ? NumberText.text(figure.quantile(MOST)) : "");
            cells.add(isThere ? NumberText.text(figure.max()) : "");
        }
        return Csv.line(cells);
    }

    /** Returns the verdicts in one line, such as {@code 100 proved, 2 refused}. */
    public String verdictLine() {
        List<String> parts = new ArrayList<>();
        for (Map.Entry<String, Long> each : verdicts.entrySet()) {
            parts.add(each.getValue() + " " + each.getKey());
        }
        return parts.isEmpty() ? "nothing" : String.join(", ", parts);
    }
}
