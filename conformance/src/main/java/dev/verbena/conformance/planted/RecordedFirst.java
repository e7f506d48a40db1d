package dev.verbena.conformance.planted;

import java.util.Comparator;
import org.junit.jupiter.api.ClassDescriptor;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.ClassOrdererContext;
import org.junit.jupiter.api.MethodDescriptor;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.MethodOrdererContext;

/// The test that caught the bug the last time, `-Dplanted.first=HeaderTest.readsThePsn`, before all
/// others; then deeper packages, because the tests of a part are quick and say more of a bug in it
/// than a campaign over the whole; then by name, because the order of a directory differs from
/// machine to machine.
final class RecordedFirst {
    static final String PROPERTY = "planted.first";

    private RecordedFirst() {}

    private static String first() {
        return System.getProperty(PROPERTY, "");
    }

    /// The order of test classes.
    static final class Classes implements ClassOrderer {
        @Override
        public void orderClasses(ClassOrdererContext context) {
            String first = first();
            context.getClassDescriptors()
                    .sort(
                            Comparator.<ClassDescriptor>comparingInt(
                                            each -> isFirst(each.getTestClass(), first) ? 0 : 1)
                                    .thenComparingInt(
                                            each -> -depth(each.getTestClass().getPackageName()))
                                    .thenComparing(each -> each.getTestClass().getName()));
        }

        private static boolean isFirst(Class<?> type, String first) {
            return first.startsWith(TestRunner.simple(type.getName()) + ".");
        }

        private static int depth(String packageName) {
            return (int) packageName.chars().filter(character -> character == '.').count();
        }
    }

    /// The order of the methods of a class.
    static final class Methods implements MethodOrderer {
        @Override
        public void orderMethods(MethodOrdererContext context) {
            String first = first();
            context.getMethodDescriptors()
                    .sort(
                            Comparator.<MethodDescriptor>comparingInt(
                                            each ->
                                                    first.endsWith("." + each.getMethod().getName())
                                                            ? 0
                                                            : 1)
                                    .thenComparing(each -> each.getMethod().getName()));
        }
    }
}
