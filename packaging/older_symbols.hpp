// Binds the wheel's objects to the older versions of symbols that have two, so that it runs on
// Linux of 2021 (glibc 2.34, GCC 11's library): packaging/wheel includes it before each source. The
// versions differ in the handling of errors only, which nothing here uses.
#ifdef __x86_64__
__asm__(".symver hypot, hypot@GLIBC_2.2.5");
__asm__(".symver _ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE, "
        "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE@GLIBCXX_3.4.11");
#endif
