#include "grading.hpp"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <iostream>
#include <set>
#include <sstream>

#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/files/folder.hpp>
#include <gradual/core/threads.hpp>

#include "../csv.hpp"
#include "../diagnosis.hpp"
#include "../exports.hpp"
#include "../report.hpp"
#include "../submission.hpp"
#include "collect.hpp"

using namespace gradual;
namespace fs = std::filesystem;

namespace {

struct Task {
  const Enrolled* person;
  const Assignment* assignment;
};

std::string results_folder(const Course& course, const std::string& student, const std::string& assignment) {
  return course.folder + "/results/" + student + "/" + assignment;
}

void grade_task(const Course& course, const Desk& desk, const Task& task) {
  const std::string path = collected_path(course, task.person->id, task.assignment->number);
  const Submission submission = parse_submission(read_text(path), path);
  check_version(submission, desk.workshop, desk.assignments, path);
  const ScratchFolder sources;
  write_parts(submission, *task.assignment, sources.path());
  const std::vector<Mark> marks =
      grade_folder(desk, *task.assignment, sources.path(), course.assignment_key(task.assignment->number),
                   task.person->id);
  const std::string folder = results_folder(course, task.person->id, task.assignment->number);
  make_folder(folder);
  write_file_atomically(folder + "/results.json", gradescope_results(marks, ""));
  write_file_atomically(folder + "/junit.xml", junit_xml("assignment " + task.assignment->number, marks));
  write_file_atomically(folder + "/marks.json", marks_json(marks));
}

// A number that several processes count up.
class SharedCounter {
 public:
  SharedCounter() {
    void* const memory = mmap(nullptr, sizeof(std::atomic<std::size_t>), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error("course grade: no memory to share");
    count_ = new (memory) std::atomic<std::size_t>(0);
  }
  ~SharedCounter() { munmap(count_, sizeof *count_); }
  SharedCounter(const SharedCounter&) = delete;
  SharedCounter& operator=(const SharedCounter&) = delete;
  std::size_t next() { return count_->fetch_add(1); }

 private:
  std::atomic<std::size_t>* count_;
};

// One of the processes: takes tasks until there are none. Returns how many failed.
int work(const Course& course, const Desk& desk, const std::vector<Task>& tasks, SharedCounter& counter) {
  set_thread_count(1);
  int failed = 0;
  for (std::size_t i = counter.next(); i < tasks.size(); i = counter.next()) {
    try {
      grade_task(course, desk, tasks[i]);
    } catch (const std::exception& error) {
      std::ostringstream message;
      message << "course grade: " << tasks[i].person->id << ", assignment " << tasks[i].assignment->number
              << ": " << error.what() << "\n";
      std::cerr << message.str() << std::flush;
      ++failed;
    }
  }
  return failed;
}

void run_tasks(const Course& course, const Desk& desk, const std::vector<Task>& tasks, int jobs) {
  SharedCounter counter;
  std::vector<pid_t> workers;
  std::cout << std::flush;
  for (int i = 0; i < jobs; ++i) {
    const pid_t child = fork();
    if (child == 0) _exit(work(course, desk, tasks, counter) == 0 ? 0 : 1);
    if (child > 0) workers.push_back(child);
  }
  bool all_well = !workers.empty();
  for (const pid_t worker : workers) {
    int status = 0;
    while (waitpid(worker, &status, 0) < 0 && errno == EINTR) {
    }
    all_well = all_well && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
  if (!all_well) throw std::runtime_error("course grade: not everything could be graded; see above");
}

}  // namespace

void require_isolation() {
  const ScratchFolder scratch;
  Confinement c;
  c.writable = scratch.path();
  const std::string layers = run_confined({"/bin/true"}, c).layers;
  const auto has = [&](const char* layer) { return layers.find(layer) != std::string::npos; };
  if (has("files") && (has("calls") || has("namespaces"))) return;
  throw std::runtime_error(
      "course: official grading needs a sandbox that keeps students' programs from files and from the "
      "network; here "
      "it has only: " +
      layers +
      ". Landlock (Linux 5.13 or later) keeps files, seccomp or namespaces the network. In a container of "
      "its own "
      "that holds nothing but the grader, --trust grades all the same");
}

std::vector<Mark> grade_folder(const Desk& desk, const Assignment& assignment, const std::string& folder,
                               const std::string& assignment_key, const std::string& student) {
  std::vector<Mark> marks;
  for (const Part& part : assignment.parts) {
    const std::string file = folder + "/" + part.file();
    if (!fs::exists(file)) {
      marks.push_back(missing_mark(part));
      continue;
    }
    const Verdict verdict =
        judge(desk.workshop, desk.assignments, part, file, practice_seed(assignment_key, student),
              official_seed(assignment_key, student));
    marks.push_back(mark_of(verdict, read_text(file)));
  }
  return marks;
}

std::vector<Result> grade_course(const Course& course, const Desk& desk, const std::string& assignment,
                                 int jobs) {
  std::vector<Task> tasks;
  for (const Enrolled& person : course.roster)
    for (const Assignment& each : desk.assignments)
      if ((assignment.empty() || each.number == assignment) &&
          fs::exists(collected_path(course, person.id, each.number)))
        tasks.push_back({&person, &each});
  // What several processes would make at the same time.
  std::set<const Assignment*> graded;
  for (const Task& task : tasks) graded.insert(task.assignment);
  for (const Assignment* each : graded)
    for (const Part& part : each->parts) prepare_diagnosis(desk.workshop, *each, part);
  if (!tasks.empty()) run_tasks(course, desk, tasks, jobs);
  std::vector<Result> results;
  for (const Enrolled& person : course.roster) {
    for (const std::string& number : course.assignments) {
      Result result{person.id, number, false, {}};
      const std::string path = results_folder(course, person.id, number) + "/marks.json";
      result.is_handed_in = fs::exists(collected_path(course, person.id, number)) && fs::exists(path);
      if (result.is_handed_in) result.marks = parse_marks(read_text(path), path);
      results.push_back(result);
    }
  }
  return results;
}

std::string grades_csv(const Course& course, const std::vector<Result>& results) {
  std::vector<std::string> heading = {"id", "name", "email"};
  heading.insert(heading.end(), course.assignments.begin(), course.assignments.end());
  heading.push_back("total");
  std::string lines = csv_line(heading);
  for (const Enrolled& person : course.roster) {
    std::vector<std::string> row = {person.id, person.name, person.email};
    int total = 0;
    for (const Result& result : results) {
      if (result.student != person.id) continue;
      row.push_back(result.is_handed_in ? std::to_string(points_of(result.marks)) : "");
      total += points_of(result.marks);
    }
    row.push_back(std::to_string(total));
    lines += spreadsheet_line(row);
  }
  return lines;
}
